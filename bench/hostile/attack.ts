import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { Pool } from 'undici';

// A process that attacks a service with one partner's key. Every second it sends as many simultaneous calls as the
// attack defines. It prints "ready" after its first round has begun, and exits when its standard input ends.

/** The timeout of each call. */
const timeoutMs = 10_000;
const roundMs = 1_000;

interface AttackCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string | Buffer;
  readonly type?: string;
}

interface Attack {
  readonly atOnce: number;
  call(index: number): AttackCall;
}

const { SVC_ATTACK_URL: url = '', SVC_ATTACK_KEY: key = '', SVC_ATTACK: name = '' } = process.env;
const pool = new Pool(url, { connections: 256, pipelining: 1 });
const hostileOrigin = await startHostileServer();

const attacks: Readonly<Record<string, () => Promise<Attack>>> = {
  async 'refused calls with many fields'() {
    const metadata = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`field-${index}`, `value-${index}`]),
    );
    const charges = Array.from({ length: 20 }, () => ({ id: 1, type: 'x', amount_in_cents: 'y' }));
    const body = JSON.stringify({ charges, metadata });
    return {
      atOnce: 100,
      call: (index) => ({ method: 'POST', path: `/v1/tenant/portal_info/a-${index}`, body }),
    };
  },
  async 'logos of 8 MiB'() {
    const body = largePicture();
    const path = '/v1/partner/appearance/logo';
    return { atOnce: 150, call: () => ({ method: 'PUT', path, body, type: 'image/png' }) };
  },
  async scenarios() {
    const body = JSON.stringify({ scenario: 'charged_off' });
    let tenants = 0;
    return {
      atOnce: 60,
      call() {
        tenants += 1;
        return { method: 'POST', path: `/v1/simulation/s-${tenants}/scenario`, body };
      },
    };
  },
  async 'the API reference'() {
    return { atOnce: 40, call: () => ({ method: 'GET', path: '/docs/api' }) };
  },
  async 'test sends to a silent receiver'() {
    const created = await send({
      method: 'POST',
      path: '/v1/webhooks/endpoints',
      body: JSON.stringify({ url: `${hostileOrigin}/silent` }),
    });
    const { data } = JSON.parse(created) as { data: { id: string } };
    const path = `/v1/webhooks/endpoints/${data.id}/test`;
    const body = JSON.stringify({ event_type: 'plan.activated' });
    return { atOnce: 60, call: () => ({ method: 'POST', path, body }) };
  },
  async 'the doctor on a hostile page'() {
    const body = JSON.stringify({ page_url: `${hostileOrigin}/page` });
    return { atOnce: 10, call: () => ({ method: 'POST', path: '/v1/partner/doctor', body }) };
  },
  async 'addresses that end with 15,000 slashes'() {
    const path = `/docs/${'/'.repeat(15_000)}x/`;
    return { atOnce: 20, call: () => ({ method: 'GET', path }) };
  },
};

const attack = await attacks[name]?.();
if (!attack) throw new Error(`There is no attack ${name}.`);
process.stdin.on('end', () => process.exit(0)).resume();
for (let round = 0; ; round += 1) {
  const began = performance.now();
  const calls = Array.from({ length: attack.atOnce }, (_, index) =>
    send(attack.call(index)).catch(() => 'left'),
  );
  if (round === 0) console.log('ready');
  await Promise.all(calls);
  await sleep(Math.max(0, roundMs - (performance.now() - began)));
}

async function send({ method, path, body, type = 'application/json' }: AttackCall) {
  const response = await pool.request({
    method,
    path,
    headers: {
      authorization: `Bearer ${key}`,
      'accept-encoding': 'br',
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  });
  return response.body.text();
}

/** Serves a page that once took quadratic time to parse, and a receiver that never answers. Returns the origin. */
async function startHostileServer(): Promise<string> {
  const page = '<meta '.repeat(43_000);
  const server = createServer((request, response) => {
    if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** 1024 × 1024 pixels of 16 bits and four samples: 8 kB that decompress to 8 MiB. */
function largePicture(): Buffer {
  const side = 1_024;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([16, 6, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(side * (1 + side * 8)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, sum]);
}
