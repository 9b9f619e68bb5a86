import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { VirtualClock } from '@svc/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import type { AddressPolicy } from '../kernel/engine-deps.ts';
import { testCertificate } from '../testing/certificate.ts';
import {
  openRawServer,
  openTlsServer,
  type RawServer,
  type TlsServer,
} from '../testing/raw-server.ts';
import { openReceiver, type Receiver, statuses } from '../testing/receiver.ts';
import { sendOnce } from '../testing/send-once.ts';
import { signal } from '../testing/signal.ts';
import { type Connections, createConnections } from './connections.ts';
import type { Outcome } from './send.ts';

const clock = new VirtualClock('2026-01-15T12:00:00Z');
const local: AddressPolicy = { allowPrivate: true, allowHttp: true };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('send', () => {
  test.each([200, 201, 204, 299])('%i is success', async (status) => {
    const { outcome } = await sendTo(await receiver(statuses(status)));
    expect(outcome).toMatchObject({ status, errorClass: null });
  });

  test.each([301, 302, 303, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    '%i is a failure, and no redirect is followed',
    async (status) => {
      const target = await receiver((_, response) => {
        response.writeHead(status, { location: '/again', 'retry-after': '1' }).end('no');
      });
      const { outcome } = await sendTo(target);
      expect(outcome).toMatchObject({ status, errorClass: 'status', responseBody: 'no' });
      expect(outcome.responseHeaders['retry-after']).toBe('1');
      expect(target.received).toHaveLength(1);
    },
  );

  test('an informational response (1xx) is skipped', async () => {
    const raw = await rawServer((socket) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n');
      socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n');
    });
    expect((await sendTo(raw)).outcome).toMatchObject({ status: 202, errorClass: null });
  });

  test('a reset of a new socket is a failure, and the request is not sent again', async () => {
    let requests = 0;
    const raw = await rawServer((socket) => {
      requests += 1;
      if (requests > 1) socket.resetAndDestroy();
      else socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
    const connections = pool(local);
    expect((await sendTo(raw, connections)).outcome.status).toBe(204);
    // This request starts while the first connection is still in the pool.
    const { outcome } = await sendTo(raw, connections);
    expect(outcome).toMatchObject({ status: null, errorClass: 'reset' });
    expect(requests).toBe(2);
  });

  test('a receiver that never answers is a timeout at the deadline', async () => {
    const target = await receiver(() => {});
    const sending = sendTo(target);
    await target.until(1);
    await clock.advance(14_999);
    await clock.advance(1);
    const { outcome } = await sending;
    expect(outcome).toMatchObject({ status: null, errorClass: 'timeout', responseBody: null });
    expect(outcome.endedAt.getTime() - outcome.startedAt.getTime()).toBe(15_000);
  });

  test('headers that are not complete at the deadline are a timeout', async () => {
    const raw = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nx-slow: a'));
    const sending = sendTo(raw);
    await raw.until(1);
    await clock.advance(15_000);
    expect((await sending).outcome).toMatchObject({ status: null, errorClass: 'timeout' });
  });

  test('a 2xx is a success even if its body never ends', async () => {
    const target = await receiver((_, response) => response.writeHead(200).write('drip'));
    const { connections, bodyCame } = listening(pool(local));
    const sending = sendTo(target, connections);
    await bodyCame;
    await clock.advance(15_000);
    const { outcome } = await sending;
    expect(outcome).toMatchObject({ status: 200, errorClass: null, responseTruncated: true });
    expect(outcome.responseBody).toBe('drip');
  });

  test('an endless body is cut at 16 KiB', async () => {
    let stopped = signal();
    const target = await receiver((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more).on('close', () => stopped.fire());
      more();
    });
    stopped = signal();
    const { outcome } = await sendTo(target);
    expect(outcome).toMatchObject({ status: 200, errorClass: null, responseTruncated: true });
    expect(outcome.responseBody).toHaveLength(16_384);
    await stopped.heard;
  });

  test('a gzip bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    const target = await receiver((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const { outcome } = await sendTo(target);
    expect(target.received[0]?.headers['accept-encoding']).toBe('identity');
    expect(outcome.responseBody?.length).toBeLessThanOrEqual(16_384);
    expect(outcome).toMatchObject({ status: 200, responseTruncated: true });
  });

  test.each([
    ['closes before it answers', (socket: Socket) => socket.end(), 'reset'],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'reset'],
    ['stops within its headers', (socket: Socket) => socket.end('HTTP/1.1 200 O'), 'reset'],
    ['speaks something else', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'), 'protocol'],
    [
      'sends 1 MB of headers',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`),
      'protocol',
    ],
  ])('a receiver that %s fails as %3$s', async (_, behave, errorClass) => {
    const { outcome } = await sendTo(await rawServer(behave));
    expect(outcome).toMatchObject({ status: null, errorClass });
    expect(outcome.error).toBeTruthy();
  });

  test('a broken body changes neither a 2xx nor another status', async () => {
    const half = (line: string) => (socket: Socket) =>
      socket.end(`HTTP/1.1 ${line}\r\ncontent-length: 100\r\n\r\nhalf`);
    const good = await sendTo(await rawServer(half('200 OK')));
    expect(good.outcome).toMatchObject({ errorClass: null, responseTruncated: true });
    const bad = await sendTo(await rawServer(half('500 Oops')));
    expect(bad.outcome).toMatchObject({ errorClass: 'status', status: 500, responseBody: 'half' });
  });

  test('a port without a server is a connect error', async () => {
    const target = await receiver();
    await target.close();
    expect((await sendTo(target)).outcome).toMatchObject({ status: null, errorClass: 'connect' });
  });

  test('a server without TLS behind an https URL is a TLS error', async () => {
    const raw = await rawServer((socket) => socket.end('hello\r\n'));
    const { outcome } = await sendTo({ url: raw.url.replace('http:', 'https:') });
    expect(outcome).toMatchObject({ status: null, errorClass: 'tls' });
  });

  test('an untrusted certificate is a TLS error', async () => {
    const { url, resolve } = await tlsServer();
    const { outcome } = await sendTo({ url }, pool(local, resolve));
    expect(outcome).toMatchObject({ status: null, errorClass: 'tls' });
  });

  test('a certificate for another host is a TLS error', async () => {
    const { url, resolve } = await tlsServer();
    const other = url.replace('hook.example', 'other.example');
    const { outcome } = await sendTo({ url: other }, pool(local, resolve, testCertificate.cert));
    expect(outcome).toMatchObject({ status: null, errorClass: 'tls' });
    expect(outcome.error).toContain('ALTNAME');
  });

  test('a trusted certificate is accepted, and each step of opening the connection is timed', async () => {
    const { url, resolve } = await tlsServer();
    const { outcome } = await sendTo({ url }, pool(local, resolve, testCertificate.cert));
    expect(outcome).toMatchObject({ status: 204, errorClass: null });
    const { dns, connect, tls, firstByte, total } = outcome.times;
    for (const ms of [dns, connect, tls, firstByte]) expect(ms).toBeTypeOf('number');
    expect(total).toBeGreaterThanOrEqual((dns ?? 0) + (connect ?? 0) + (tls ?? 0));
  });

  test('a TLS handshake that hangs is a timeout', async () => {
    const raw = await rawServer(() => {});
    const sending = sendTo({ url: raw.url.replace('http:', 'https:') });
    await raw.until(1);
    await clock.advance(15_000);
    expect((await sending).outcome).toMatchObject({ status: null, errorClass: 'timeout' });
  });

  test('a binary body is stored as valid text', async () => {
    const body = Buffer.from([0x61, 0x00, 0xff, 0x62]);
    const { outcome } = await sendTo(await receiver((_, response) => response.end(body)));
    expect(outcome.responseBody).toBe('a\ufffd\ufffdb');
  });
});

async function sendTo(
  { url }: { url: string },
  connections = pool(local),
): Promise<{ outcome: Outcome }> {
  return { outcome: await sendOnce(url, { connections, clock }) };
}

/** Wraps connections, and reports when the first part of a body has arrived on one. */
function listening(connections: Connections): {
  connections: Connections;
  bodyCame: Promise<void>;
} {
  const { fire, heard } = signal();
  return {
    bodyCame: heard,
    connections: {
      ...connections,
      take(owner, origin) {
        const taken = connections.take(owner, origin);
        const { connection } = taken;
        const request = connection.request.bind(connection);
        connection.request = (head, body, answer) => {
          const onData = answer.onData.bind(answer);
          answer.onData = (bytes) => {
            onData(bytes);
            fire();
          };
          request(head, body, answer);
        };
        return taken;
      },
    },
  };
}

function pool(
  policy: AddressPolicy,
  resolve: ResolveHost = async () => [],
  ca?: string,
): Connections {
  const guard = { policy, resolve, ...(ca !== undefined && { ca }) };
  const connections = createConnections(guard, clock, 60_000);
  closing.push(() => connections.close());
  return connections;
}

async function rawServer(behave: (socket: Socket) => void, afterData = true): Promise<RawServer> {
  const opened = await openRawServer(behave, afterData);
  closing.push(() => opened.close());
  return opened;
}

async function tlsServer(): Promise<TlsServer> {
  const opened = await openTlsServer();
  closing.push(() => opened.close());
  return opened;
}

async function receiver(answer?: Parameters<typeof openReceiver>[0]): Promise<Receiver> {
  const opened = await openReceiver(answer);
  closing.push(() => opened.close());
  return opened;
}
