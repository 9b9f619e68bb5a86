import type { Socket } from 'node:net';
import { VirtualClock } from '@svc/runtime/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseNetwork } from '../addresses/networks.ts';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import { proxyCertificate, testCertificate } from '../testing/certificate.ts';
import { type ConnectProxy, openConnectProxy } from '../testing/connect-proxy.ts';
import { openTlsServer } from '../testing/raw-server.ts';
import { openReceiver, type Receiver } from '../testing/receiver.ts';
import { sendOnce } from '../testing/send-once.ts';
import { signal } from '../testing/signal.ts';
import { type Connections, createConnections } from './connections.ts';
import { parseEgressProxy } from './egress-proxy.ts';

const clock = new VirtualClock('2026-01-15T12:00:00Z');
const publicly = { allowPrivate: false, allowHttp: true };
const ca = testCertificate.cert + proxyCertificate.cert;
const url = 'http://hook.example/in';
const open: (() => unknown)[] = [];
let receiver: Receiver;
let proxy: ConnectProxy;
beforeEach(async () => {
  receiver = closing(await openReceiver());
  proxy = closing(await openConnectProxy(Number(new URL(receiver.url).port)));
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

function closing<T extends { close(): unknown }>(opened: T): T {
  open.push(() => opened.close());
  return opened;
}

/** Returns connections through this proxy, by default with the production policy. All names resolve to `addresses`. */
function connectionsThrough(
  via: string,
  addresses = ['93.184.216.34'],
  policy = publicly,
): Connections {
  const resolve: ResolveHost = async () => addresses;
  const guard = { policy, resolve, ca, proxy: parseEgressProxy(via) };
  if (!guard.proxy) throw new Error(`${via} is no proxy`);
  return closing(createConnections({ ...guard, proxy: guard.proxy }, clock, 60_000));
}

const sendThrough = (via: string, addresses?: string[]) =>
  sendOnce(url, { connections: connectionsThrough(via, addresses), clock });

describe('through a proxy', () => {
  test('an attempt is tunneled to the checked address, and the next one reuses the tunnel', async () => {
    const connections = connectionsThrough(proxy.url);
    const first = await sendOnce(url, { connections, clock });
    expect(first).toMatchObject({ status: 204, errorClass: null, atProxy: false });
    const { dns, connect, tls } = first.times;
    expect([typeof dns, typeof connect, tls]).toEqual(['number', 'number', null]);
    const second = await sendOnce(url, { connections, clock });
    expect(second.times).toMatchObject({ dns: null, connect: null });
    expect(proxy.asked).toEqual(['93.184.216.34:80']);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[0]).toMatchObject({ path: '/in', headers: { host: 'hook.example' } });
  });

  test.each([[false], [true]])(
    'TLS is with the receiver (with the proxy too: %s)',
    async (secure) => {
      const server = closing(await openTlsServer());
      const { port } = new URL(server.url);
      const via = closing(await openConnectProxy(Number(port), secure));
      const outcome = await sendOnce(server.url, {
        connections: connectionsThrough(via.url),
        clock,
      });
      expect(outcome).toMatchObject({ status: 204, errorClass: null });
      expect(outcome.times.tls).toBeTypeOf('number');
      expect(via.asked).toEqual([`93.184.216.34:${port}`]);
    },
  );

  test('a certificate for another host is a failure of the receiver', async () => {
    const server = closing(await openTlsServer());
    const via = closing(await openConnectProxy(Number(new URL(server.url).port)));
    const other = server.url.replace('hook.example', 'other.example');
    const outcome = await sendOnce(other, { connections: connectionsThrough(via.url), clock });
    expect(outcome).toMatchObject({ status: null, errorClass: 'tls', atProxy: false });
  });

  test('user and password are sent to the proxy only', async () => {
    await sendThrough(proxy.url.replace('//', '//svc:p%40ss@'));
    expect(proxy.authorizations).toEqual([`Basic ${Buffer.from('svc:p@ss').toString('base64')}`]);
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('proxy-authorization');
  });

  test.each([['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1']])(
    'a name that resolves to %s is refused before the proxy is contacted',
    async (...addresses) => {
      expect(await sendThrough(proxy.url, addresses)).toMatchObject({
        errorClass: 'blocked_address',
        atProxy: false,
      });
      expect(proxy.asked).toEqual([]);
    },
  );

  test('an address in an allowed network is reached, and one in another network is not', async () => {
    const policy = { ...publicly, allowedNetworks: [parseNetwork('10.20.0.0/16')] };
    const attempt = (address: string) =>
      sendOnce(url, { connections: connectionsThrough(proxy.url, [address], policy), clock });
    expect(await attempt('10.20.0.7')).toMatchObject({ status: 204, errorClass: null });
    expect(await attempt('10.21.0.7')).toMatchObject({ errorClass: 'blocked_address' });
    expect(proxy.asked).toEqual(['10.20.0.7:80']);
  });

  test('the next address is tried if the proxy cannot reach the first', async () => {
    const opens = proxy.answer;
    proxy.answer = (client) => {
      proxy.answer = opens;
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    };
    const outcome = await sendThrough(proxy.url, ['93.184.216.34', '2606:2800:21f::1']);
    expect(outcome).toMatchObject({ status: 204, errorClass: null });
    expect(proxy.asked).toEqual(['93.184.216.34:80', '[2606:2800:21f::1]:80']);
  });

  test('bytes after the proxy’s answer belong to the receiver’s, in pieces of any size', async () => {
    proxy.answer = (client) => {
      client.setNoDelay().write('HTTP/1.0 200 OK\r\ncontent-le');
      const rest = 'ngth: 9\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n';
      setImmediate(() => client.write(rest));
    };
    expect(await sendThrough(proxy.url)).toMatchObject({ status: 202, errorClass: null });
  });
});

describe('a proxy that opens no tunnel', () => {
  const secret = 'p-4-the-proxy';
  const refuse = (status: string) => (client: Socket) =>
    client.end(`HTTP/1.1 ${status}\r\ncontent-length: 6\r\n\r\nsecret`);

  test.each([
    ['wants other credentials', refuse('407 Proxy Authentication Required'), 'with 407'],
    ['forbids it', refuse('403 Forbidden'), 'with 403'],
    ['does not reach the receiver', refuse('504 Gateway Timeout'), 'with 504'],
    ['closes', (client: Socket) => client.end(), 'closed the connection'],
    ['resets', (client: Socket) => client.resetAndDestroy(), 'closed the connection'],
    ['closes within its answer', (client: Socket) => client.end('HTTP/1.1 2'), 'closed'],
    [
      'speaks something else',
      (client: Socket) => client.end('SSH-2.0-x\r\n'),
      'other than HTTP/1.1',
    ],
    [
      'answers without end',
      (client: Socket) => client.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`),
      'other than HTTP/1.1',
    ],
  ])('because it %s is a failed connection', async (_, answer, words) => {
    proxy.answer = answer;
    const outcome = await sendThrough(proxy.url.replace('//', `//svc:${secret}@`));
    expect(outcome).toMatchObject({ status: null, errorClass: 'connect', atProxy: true });
    expect(outcome.error).toContain(words);
    for (const hidden of [secret, btoa(`svc:${secret}`), new URL(proxy.url).host, 'secret']) {
      expect(outcome.error).not.toContain(hidden);
    }
    expect(receiver.received).toHaveLength(0);
  });

  test('a proxy that refuses our credentials is asked once, for any number of addresses', async () => {
    proxy.answer = refuse('407 Proxy Authentication Required');
    await sendThrough(proxy.url, ['93.184.216.34', '93.184.216.35']);
    expect(proxy.asked).toHaveLength(1);
  });

  test.each([
    ['is down', 'ECONNREFUSED', (up: string) => up.replace(/\d+$/, '1')],
    ['speaks no TLS', 'E', (up: string) => up.replace('http:', 'https:')],
  ])('because it %s is a failed connection, too', async (_, words, urlOf) => {
    const outcome = await sendThrough(urlOf(proxy.url));
    expect(outcome).toMatchObject({ status: null, errorClass: 'connect', atProxy: true });
    expect(outcome.error).toContain(`cannot be reached: ${words}`);
  });

  test('a proxy with a certificate for another host is a connection failure', async () => {
    const via = closing(await openConnectProxy(9, true));
    const outcome = await sendThrough(via.url.replace('proxy.', 'other.'));
    expect(outcome).toMatchObject({ errorClass: 'connect', atProxy: true });
    expect(outcome.error).toContain('ALTNAME');
    expect(via.asked).toEqual([]);
  });

  test('a proxy that hangs is abandoned at the deadline, and every socket is closed', async () => {
    const asked = signal();
    const closed = signal();
    proxy.answer = (client) => {
      client.resume().on('end', closed.fire);
      asked.fire();
    };
    const sending = sendThrough(proxy.url);
    await asked.heard;
    await clock.advance(15_000);
    expect(await sending).toMatchObject({ status: null, errorClass: 'timeout', atProxy: true });
    await closed.heard;
  });
});

describe('a proxy that breaks the tunnel', () => {
  const thenBreak = (client: Socket) => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.once('data', () => client.destroy());
  };

  test.each([
    ['under the request is a reset', url, 'reset'],
    ['under the TLS handshake is a TLS failure', 'https://hook.example/in', 'tls'],
  ])('%s', async (_, to, errorClass) => {
    proxy.answer = thenBreak;
    const outcome = await sendOnce(to, { connections: connectionsThrough(proxy.url), clock });
    expect(outcome).toMatchObject({ status: null, errorClass, atProxy: false });
  });

  test('a tunnel that breaks between two attempts fails neither of them', async () => {
    const tunnels: Socket[] = [];
    proxy.answer = (client) => {
      tunnels.push(client);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.on('data', () => client.write('HTTP/1.1 204 No Content\r\n\r\n'));
    };
    const connections = connectionsThrough(proxy.url);
    await sendOnce(url, { connections, clock });
    const [first] = tunnels;
    if (!first) throw new Error('no tunnel was opened');
    // Its close event comes after the engine has closed its side as well.
    const closed = new Promise((resolve) => first.once('close', resolve));
    first.end();
    await closed;
    expect(await sendOnce(url, { connections, clock })).toMatchObject({ status: 204 });
    expect(tunnels).toHaveLength(2);
  });
});
