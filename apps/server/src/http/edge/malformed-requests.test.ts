import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type App, createApp } from '../app.ts';
import { answerMalformedRequests } from './malformed-requests.ts';

let app: App;
afterEach(() => app.close());

/** A server with short deadlines, and what it logged. */
async function listening() {
  const logged: object[] = [];
  const deadlines = { requestMs: 300, headersMs: 200, checkMs: 50 };
  const options = { newRequestId: () => 'req_routed', trustedProxies: [], refuse() {}, deadlines };
  app = await createApp(options);
  answerMalformedRequests(app, {
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

/** A byte now and then, for as long as the server takes them. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 20);
  socket.once('close', () => clearInterval(timer));
}

async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  await once(socket, 'close');
  return text;
}

const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

test('a body that drips gets 408 under the id of its request, and its connection is closed', async () => {
  const { logged, socket } = await listening();
  socket.write(`${head}Content-Length: 100000\r\n\r\n{`);
  drip(socket);
  const answer = await heard(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(answer).toContain('{"code":"request_timeout","requestId":"req_routed"}');
  expect(logged).toEqual([]);
});

test('headers that drip, and a connection that says nothing, end the same way', async () => {
  const { logged, socket } = await listening();
  socket.write(`${head}X-Slow: `);
  drip(socket);
  const silent = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  for (const answer of await Promise.all([heard(socket), heard(silent)])) {
    expect(answer).toContain('{"code":"request_timeout","requestId":"req_new"}');
  }
  const line = { status: 408, request_id: 'req_new', reason: 'ERR_HTTP_REQUEST_TIMEOUT' };
  expect(logged).toEqual([line, line]);
});

test('an error after an answer has a new id', async () => {
  const { logged, socket } = await listening();
  socket.write(`${head}Content-Length: 2\r\n\r\n{}`);
  await once(socket, 'data');
  socket.write('nonsense\r\n\r\n');
  expect(await heard(socket)).toContain('{"code":"malformed_request","requestId":"req_new"}');
  expect(logged).toHaveLength(1);
});
