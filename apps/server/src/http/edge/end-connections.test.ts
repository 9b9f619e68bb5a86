import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { endConnections } from './end-connections.ts';

const post = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** A server whose authentication and whose one route wait until the test opens their gates. */
async function startServer() {
  const http = await createApp({ newRequestId: () => 'req_1', trustedProxies: [], refuse() {} });
  const { app } = http;
  let startGrace: (end: () => void) => void;
  /** Resolves when the server begins to close, to a function that ends the grace period. */
  const grace = new Promise<() => void>((started) => {
    startGrace = started;
  });
  endConnections(http, {
    after(_, run) {
      startGrace(run);
      return () => {};
    },
  });
  const authentication = gate();
  const route = gate();
  app.addHook('onRequest', authentication.pass);
  app.post('/slow', async () => {
    await route.pass();
    return 'answered';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  /** Sends the text on a new connection and waits for the server's event. */
  async function send(text: string, seen: 'connection' | 'request' = 'connection') {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += String(data);
    });
    socket.on('error', () => {});
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
    socket.write(text);
    await once(app.server, seen);
    return { ended };
  }
  return { app, authentication, route, grace, send };
}

function gate() {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    open: () => open(),
    arrived,
    async pass() {
      arrive();
      await opened;
    },
  };
}

test.each([
  ['sent nothing', ''],
  ['stopped in the middle of a head', 'GET /slow'],
])('a connection that %s is closed at once', async (_, text) => {
  const { app, send } = await startServer();
  const { ended } = await send(text);
  await app.close();
  expect(await ended).toBe('');
});

test('an upload that stopped halfway is closed when the grace period ends', async () => {
  const { app, authentication, grace, send } = await startServer();
  authentication.open();
  const { ended } = await send(`${post}Content-Length: 9\r\n\r\n{`, 'request');
  const closed = app.close();
  (await grace)();
  await closed;
  expect(await ended).toBe('');
});

test('a request in its handler is answered before the end', async () => {
  const { app, authentication, route, send } = await startServer();
  authentication.open();
  await send('');
  const { ended } = await send(`${post}Content-Length: 2\r\n\r\n{}`);
  await route.arrived;
  const closed = app.close();
  route.open();
  await closed;
  expect(await ended).toContain('answered');
});

test('a request that is still being authenticated is answered before the end', async () => {
  const { app, authentication, route, send } = await startServer();
  route.open();
  const { ended } = await send(`${post}Content-Length: 2\r\n\r\n{}`);
  await authentication.arrived;
  const closed = app.close();
  authentication.open();
  await closed;
  expect(await ended).toContain('answered');
});
