import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type App, createApp } from '../app.ts';
import { answerMalformedRequests } from './malformed-requests.ts';

let app: App;
afterEach(() => app.close());

/** A server with short deadlines, and what it logged. */
async function startServer() {
  const logged: object[] = [];
  const deadlines = { requestMs: 300, headersMs: 200, checkMs: 50 };
  const options = { newRequestId: () => 'req_routed', trustedProxies: [], refuse() {}, deadlines };
  const http = await createApp(options);
  app = http.app;
  answerMalformedRequests(http, {
    newRequestId: () => 'req_new',
    bodyOf: ({ code }, requestId) => JSON.stringify({ code, requestId }),
    log: (fields) => logged.push(fields),
  });
  app.post('/', async () => 'answered');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  return { logged, socket };
}

/** Sends one byte every 20 ms until the connection closes. */
function sendSlowly(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 20);
  socket.once('close', () => clearInterval(timer));
}

async function receivedBy(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  await once(socket, 'close');
  return text;
}

const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

test('a body that arrives too slowly gets 408 with the id of its request, and the connection is closed', async () => {
  const { logged, socket } = await startServer();
  socket.write(`${head}Content-Length: 100000\r\n\r\n{`);
  sendSlowly(socket);
  const answer = await receivedBy(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(answer).toContain('{"code":"request_timeout","requestId":"req_routed"}');
  expect(logged).toEqual([]);
});

test('headers that arrive too slowly and a silent connection get 408 as well', async () => {
  const { logged, socket } = await startServer();
  socket.write(`${head}X-Slow: `);
  sendSlowly(socket);
  const silent = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  for (const answer of await Promise.all([receivedBy(socket), receivedBy(silent)])) {
    expect(answer).toContain('{"code":"request_timeout","requestId":"req_new"}');
  }
  const line = { status: 408, request_id: 'req_new', reason: 'ERR_HTTP_REQUEST_TIMEOUT' };
  expect(logged).toEqual([line, line]);
});

test('a malformed request after an answered one has a new id', async () => {
  const { logged, socket } = await startServer();
  socket.write(`${head}Content-Length: 2\r\n\r\n{}`);
  await once(socket, 'data');
  socket.write('nonsense\r\n\r\n');
  expect(await receivedBy(socket)).toContain('{"code":"malformed_request","requestId":"req_new"}');
  expect(logged).toHaveLength(1);
});
