import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createResolver } from './resolve-host.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('resolving', () => {
  test('returns every address of both families', async () => {
    const resolve = await resolverWith({ A: ['8.8.8.8', '10.0.0.1'], AAAA: ['2a00::1'] });
    expect(await resolve('hook.example')).toEqual(['8.8.8.8', '10.0.0.1', '2a00::1']);
  });

  test('returns one family if the other has no answer or its server fails', async () => {
    expect(await (await resolverWith({ A: ['8.8.8.8'], AAAA: [] }))('hook.example')).toEqual([
      '8.8.8.8',
    ]);
    expect(await (await resolverWith({ A: 'broken', AAAA: ['2a00::1'] }))('hook.example')).toEqual([
      '2a00::1',
    ]);
  });

  test('no answer at all is an error that names its cause', async () => {
    const empty = await resolverWith({ A: [], AAAA: [] });
    await expect(empty('hook.example')).rejects.toMatchObject({ code: 'ENODATA' });
    const broken = await resolverWith({ A: 'broken', AAAA: [] });
    await expect(broken('hook.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  test('localhost and the hosts file are used only if local names are allowed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    closing.push(() => rm(folder, { recursive: true }));
    const hostsFile = join(folder, 'hosts');
    await writeFile(hostsFile, '# dev\n127.0.0.1 localhost\n10.1.2.3\tDev.Internal dev # mine\n');
    const local = await resolverWith({ A: ['8.8.8.8'], AAAA: [] }, { localNames: true, hostsFile });
    expect(await local('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await local('portal.localhost.')).toEqual(['127.0.0.1', '::1']);
    expect(await local('dev.internal')).toEqual(['10.1.2.3']);
    expect(await local('hook.example')).toEqual(['8.8.8.8']);
    const strict = await resolverWith(
      { A: ['8.8.8.8'], AAAA: [] },
      { localNames: false, hostsFile },
    );
    expect(await strict('dev.internal')).toEqual(['8.8.8.8']);
  });
});

type Records = Record<'A' | 'AAAA', string[] | 'broken'>;

/** Returns a resolver that asks a small DNS server on loopback, which has these records. */
async function resolverWith(records: Records, options: object = {}) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    socket.send(answer(query, records), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closing.push(() => socket.close());
  const { port } = socket.address() as AddressInfo;
  return createResolver({ localNames: false, servers: [`127.0.0.1:${port}`], ...options });
}

/** Builds a DNS response (RFC 1035 §4): the header, the question, and answers that point to its name. */
function answer(query: Buffer, records: Records): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const type = question.readUInt16BE(question.length - 4) === 28 ? 'AAAA' : 'A';
  const found = records[type];
  const list = found === 'broken' ? [] : found.map((address) => bytesOf(type, address));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(found === 'broken' ? 0x8182 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(list.length, 6);
  const answers = list.map((data) => {
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type === 'A' ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question, ...answers]);
}

function bytesOf(type: 'A' | 'AAAA', address: string): Buffer {
  if (type === 'A') return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(Number.parseInt(head, 16), 0);
  bytes.writeUInt16BE(Number.parseInt(tail, 16), 14);
  return bytes;
}
