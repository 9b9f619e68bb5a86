import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { VirtualClock } from '@svc/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import type { AddressPolicy } from '../kernel/engine-deps.ts';
import { testCertificate } from '../testing/certificate.ts';
import { openConnectProxy } from '../testing/connect-proxy.ts';
import { openRawServer, openTlsServer, type RawServer } from '../testing/raw-server.ts';
import { openReceiver, type Receiver } from '../testing/receiver.ts';
import { sendOnce } from '../testing/send-once.ts';
import { type Connections, createConnections } from './connections.ts';
import { parseEgressProxy } from './egress-proxy.ts';

const clock = new VirtualClock('2026-01-15T12:00:00Z');
const local: AddressPolicy = { allowPrivate: true, allowHttp: true };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('connections', () => {
  test('a connection is reused for the next attempt, and the name is resolved again after 60 seconds', async () => {
    const target = await receiver();
    let looked = 0;
    const resolve: ResolveHost = async () => {
      looked += 1;
      return ['127.0.0.1'];
    };
    const connections = pool(local, resolve);
    const url = target.url.replace('127.0.0.1', 'hook.example');
    const first = await sendOnce(url, { connections, clock });
    expect(first.times.connect).toBeTypeOf('number');
    const second = await sendOnce(url, { connections, clock });
    expect(second.times).toMatchObject({ dns: null, connect: null });
    expect(looked).toBe(1);
    await clock.advance(60_000);
    await sendOnce(url, { connections, clock });
    expect(looked).toBe(2);
  });

  test('connections are not shared between owners', async () => {
    const target = await receiver();
    const connections = pool(local);
    await sendOnce(target.url, { connections, clock, owner: 'partner_a' });
    const other = await sendOnce(target.url, { connections, clock, owner: 'partner_b' });
    expect(other.times.connect).toBeTypeOf('number');
  });

  test('an idle connection is used as long as the receiver announces, at most 15 seconds', async () => {
    const target = await receiver((_, response) => {
      response.writeHead(204, { 'keep-alive': 'timeout=10' }).end();
    });
    const connections = pool(local);
    const connectMs = async () =>
      (await sendOnce(target.url, { connections, clock })).times.connect;
    expect(await connectMs()).toBeTypeOf('number');
    await clock.advance(8_999);
    expect(await connectMs()).toBeNull();
    await clock.advance(9_000);
    expect(await connectMs()).toBeTypeOf('number');
    target.answer = (_, response) => response.writeHead(204, { 'keep-alive': 'timeout=60' }).end();
    expect(await connectMs()).toBeNull();
    await clock.advance(15_000);
    expect(await connectMs()).toBeTypeOf('number');
  });

  test('a connection with bytes after the response is not reused', async () => {
    let requests = 0;
    const raw = await rawServer((socket) => {
      socket.on('data', () => {
        requests += 1;
        socket.write('HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n');
      });
    }, false);
    const connections = pool(local);
    for (const _ of [1, 2]) {
      const outcome = await sendOnce(raw.url, { connections, clock });
      expect(outcome).toMatchObject({ status: 204, errorClass: null });
      expect(outcome.times.connect).toBeTypeOf('number');
    }
    expect(requests).toBe(2);
  });

  test('without a Keep-Alive header, a connection idle for 4 seconds is not reused', async () => {
    const raw = await rawServer((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    }, false);
    const connections = pool(local);
    const connectMs = async () => (await sendOnce(raw.url, { connections, clock })).times.connect;
    expect(await connectMs()).toBeTypeOf('number');
    await clock.advance(3_999);
    expect(await connectMs()).toBeNull();
    await clock.advance(4_000);
    expect(await connectMs()).toBeTypeOf('number');
  });

  test('a receiver with a keep-alive timeout of a second or less gets a new connection each time', async () => {
    const target = await receiver((_, response) => {
      response.writeHead(204, { 'keep-alive': 'timeout=1' }).end();
    });
    const connections = pool(local);
    for (const _ of [1, 2]) {
      const { times } = await sendOnce(target.url, { connections, clock });
      expect(times.connect).toBeTypeOf('number');
    }
  });

  test.each<[string, (socket: Socket) => void]>([
    ['ended', (socket) => socket.end()],
    ['wrote to', (socket) => socket.write('HTTP/1.1 408 Request Timeout\r\n\r\n')],
  ])('an idle one that the receiver %s is evicted', async (_, disturb) => {
    let requests = 0;
    const sockets: Socket[] = [];
    const raw = await rawServer((socket) => {
      sockets.push(socket);
      socket.on('data', () => {
        requests += 1;
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    }, false);
    const connections = pool(local);
    await sendOnce(raw.url, { connections, clock });
    const [idle] = sockets;
    if (!idle) throw new Error('nothing was accepted');
    const evicted = new Promise((resolve) => idle.once('close', resolve));
    disturb(idle);
    await evicted;
    const outcome = await sendOnce(raw.url, { connections, clock });
    expect(outcome).toMatchObject({ status: 204, errorClass: null });
    expect(outcome.times.connect).toBeTypeOf('number');
    expect(requests).toBe(2);
  });
});

describe('a receiver that reads the request and then closes the connection', () => {
  const pooled = 7;

  // Each of these opens a receiver that calls `answer` after it has read a whole request.
  const inTheClear = async (answer: RequestListener) => {
    const target = await receiver((_, response, request) => answer(request, response));
    return { url: target.url, guard: {} };
  };
  const overTls = async (answer: RequestListener) => {
    const { url } = closed(
      await openTlsServer((request, response) =>
        request.resume().on('end', () => answer(request, response)),
      ),
    );
    return { url, guard: { ca: testCertificate.cert } };
  };
  const throughProxy = async (answer: RequestListener) => {
    const { url, guard } = await overTls(answer);
    const proxy = parseEgressProxy(closed(await openConnectProxy(Number(new URL(url).port))).url);
    if (!proxy) throw new Error('the proxy has no URL');
    return { url, guard: { ...guard, proxy } };
  };

  test.each([
    ['in the clear', inTheClear],
    ['over TLS', overTls],
    ['over TLS through a proxy', throughProxy],
  ])('%s gets one POST, however many idle connections there are', async (_, open) => {
    let posts = 0;
    let waiting: (() => void)[] = [];
    let resets = false;
    const target = await open((request, response) => {
      posts += 1;
      if (resets) request.socket.destroy();
      else waiting.push(() => response.writeHead(204).end());
      // Responds to all of them at once, so that each request needs a separate connection.
      if (waiting.length === pooled) for (const answer of waiting) answer();
    });
    const resolve: ResolveHost = async () => ['127.0.0.1'];
    const connections = closed(
      createConnections({ policy: local, resolve, ...target.guard }, clock, 60_000),
    );
    const send = () => sendOnce(target.url, { connections, clock });
    const opened = await Promise.all(Array.from({ length: pooled }, send));
    expect(opened.map(({ status }) => status)).toEqual(Array(pooled).fill(204));
    waiting = [];
    resets = true;
    const outcome = await send();
    expect(outcome).toMatchObject({ status: null, errorClass: 'reset' });
    expect(outcome.times.connect).toBeNull();
    expect(posts).toBe(pooled + 1);
  });
});

describe('the address guard at each dial', () => {
  const strict: AddressPolicy = { allowPrivate: false, allowHttp: true };

  test.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['fd00::1']])(
    'a name that resolves to %s is not dialed',
    async (...addresses) => {
      const target = await receiver();
      const connections = pool(strict, async () => addresses);
      const url = target.url.replace('127.0.0.1', 'rebound.example');
      const outcome = await sendOnce(url, { connections, clock });
      expect(outcome).toMatchObject({ status: null, errorClass: 'blocked_address' });
      expect(target.received).toHaveLength(0);
    },
  );

  test('a literal address is checked although it is not resolved', async () => {
    const target = await receiver();
    const outcome = await sendOnce(target.url, { connections: pool(strict), clock });
    expect(outcome).toMatchObject({ errorClass: 'blocked_address' });
    expect(target.received).toHaveLength(0);
  });

  test('a name that was public when saved and is private at the attempt is refused', async () => {
    const target = await receiver();
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const resolve: ResolveHost = async () => answers.shift() ?? [];
    await resolve('rebound.example');
    const connections = pool(strict, resolve);
    const outcome = await sendOnce(target.url.replace('127.0.0.1', 'rebound.example'), {
      connections,
      clock,
    });
    expect(outcome.errorClass).toBe('blocked_address');
  });

  test('a name without an address is a dns error', async () => {
    const failing: ResolveHost = async (name) => {
      throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
    };
    const outcome = await sendOnce('http://gone.example', {
      connections: pool(local, failing),
      clock,
    });
    expect(outcome).toMatchObject({ status: null, errorClass: 'dns' });
    expect(outcome.error).toContain('ENOTFOUND');
  });
});

function closed<T extends { close(): unknown }>(opened: T): T {
  closing.push(() => opened.close());
  return opened;
}

function pool(policy: AddressPolicy, resolve: ResolveHost = async () => []): Connections {
  return closed(createConnections({ policy, resolve }, clock, 60_000));
}

async function receiver(answer?: Parameters<typeof openReceiver>[0]): Promise<Receiver> {
  return closed(await openReceiver(answer));
}

async function rawServer(behave: (socket: Socket) => void, afterData = true): Promise<RawServer> {
  return closed(await openRawServer(behave, afterData));
}
