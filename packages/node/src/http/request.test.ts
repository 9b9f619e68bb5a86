import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { RequestSpec } from './attempt.ts';
import { type CallOptions, request } from './request.ts';
import { SvcConnectionError, SvcError, SvcTimeoutError } from './svc-error.ts';
import type { Transport } from './transport.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.restoreAllMocks();
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const get: RequestSpec = { method: 'GET', path: '/thing' };
const post: RequestSpec = { method: 'POST', path: '/thing', body: { a: 1 } };

/** Starts a server that gives these answers in order and then repeats the last one. Waits are only recorded. */
async function scripted(...answers: Answer[]) {
  const keys: (string | undefined)[] = [];
  const waits: number[] = [];
  const server = createServer((incoming, response) => {
    keys.push(incoming.headers['idempotency-key'] as string | undefined);
    answers[Math.min(keys.length, answers.length) - 1]?.(response, incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  let elapsed = 0;
  const transport: Transport = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: 'svc_sandbox_test',
    fetch,
    timeoutMs: 5_000,
    maxRetries: 2,
    deadlineMs: 120_000,
    wait: async (ms) => {
      waits.push(ms);
      elapsed += ms;
    },
    random: () => 0.5,
    elapsed: () => elapsed,
  };
  const call = (spec: RequestSpec, options?: CallOptions) =>
    request<unknown>(transport, spec, options);
  return { call, keys, waits, transport };
}

const ok: Answer = (response) => response.end('{"error":null,"data":{"done":true}}');
const fail =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'x-request-id': 'req_h', ...headers });
    const error = { code, message: 'What to do.', request_id: 'req_1', doc_url: 'http://d/#x' };
    response.end(JSON.stringify({ error, data: null }));
  };
const html =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end(`<h1>${status}</h1>${' '.repeat(5000)}`);
  };
const reset: Answer = (response) => response.destroy();
const halfBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': '500' });
  response.write('{"error":null,');
};

/** Mocks `AbortSignal.timeout`. Returns a function that makes the current attempt time out. */
function mockTimeouts() {
  let current = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    current = new AbortController();
    return current.signal;
  });
  return () => current.abort();
}

async function failure(promise: Promise<unknown>): Promise<SvcError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof SvcError) return error;
  throw error;
}

test('retries after a reset connection with the same Idempotency-Key', async () => {
  const { call, keys, waits } = await scripted(reset, reset, ok);
  expect(await call(post)).toEqual({ done: true });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(waits).toEqual([450, 750]);
});

test.each([408, 429, 500, 502, 503, 504])('retries after %i', async (status) => {
  const { call, keys } = await scripted(fail(status, 'unavailable'), ok);
  expect(await call(get)).toEqual({ done: true });
  expect(keys).toHaveLength(2);
});

test.each([400, 401, 403, 404, 409, 413, 422, 501])('does not retry after %i', async (status) => {
  const { call, keys } = await scripted(fail(status, 'not_found'), ok);
  expect(await failure(call(post))).toMatchObject({ status, retryable: false, attempts: 1 });
  expect(keys).toHaveLength(1);
});

test('retries a 409 only while the first request is running', async () => {
  const { call } = await scripted(fail(409, 'idempotency_key_in_progress'), ok);
  expect(await call(post)).toEqual({ done: true });
});

test('waits for Retry-After: seconds or a date, at most a minute', async () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
  const later = 'Wed, 21 Oct 2026 07:28:07 GMT';
  for (const [headers, expected] of [
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': later, date }, 7000],
    [{ 'retry-after': '3600' }, 60_000],
    [{ 'retry-after': 'soon' }, 450],
  ] as const) {
    const { call, waits } = await scripted(fail(503, 'unavailable', headers), ok);
    await call(get);
    expect(waits).toEqual([expected]);
  }
});

test('throws after its last retry; 0 means one attempt', async () => {
  const { call, keys } = await scripted(fail(503, 'unavailable'));
  expect(await failure(call(get))).toMatchObject({ attempts: 3, retryable: true });
  expect(await failure(call(get, { maxRetries: 0 }))).toMatchObject({ attempts: 1 });
  expect(keys).toHaveLength(4);
});

test('does not start a pause that would exceed its deadline', async () => {
  const { call, transport, waits } = await scripted(
    fail(503, 'unavailable', { 'retry-after': '40' }),
  );
  transport.deadlineMs = 60_000;
  expect(await failure(call(get))).toMatchObject({ attempts: 2 });
  expect(waits).toEqual([40_000]);
});

test('an error has all details of the response', async () => {
  const errors = [{ param: 'email', code: 'required', message: 'is required' }];
  const { call } = await scripted((response) => {
    response.writeHead(422);
    const error = { code: 'validation_failed', message: 'Some fields.', param: 'email', errors };
    response.end(JSON.stringify({ error: { ...error, request_id: 'req_9' }, data: null }));
  });
  const error = await failure(call(post, { idempotencyKey: 'mine' }));
  expect(error).toMatchObject({
    name: 'SvcError',
    code: 'validation_failed',
    message: 'Some fields.',
    status: 422,
    param: 'email',
    errors,
    requestId: 'req_9',
    docUrl: null,
    idempotencyKey: 'mine',
    responseBody: null,
  });
});

test('an error contains a proxy’s page, and is retried according to its status', async () => {
  const { call, keys } = await scripted(html(502), html(404));
  const error = await failure(call(get));
  expect(error).toMatchObject({ code: 'unexpected_response', status: 404, attempts: 2 });
  expect(error.responseBody).toHaveLength(2000);
  expect(error.responseBody).toContain('<h1>404</h1>');
  expect(keys).toHaveLength(2);
});

test.each(['', 'null', '{}', '{"data":1}', '{"error":"no","data":null}'])(
  'takes a 200 with the body %j for somebody else’s',
  async (body) => {
    const { call } = await scripted((response) => response.end(body));
    expect(await failure(call(get))).toMatchObject({ code: 'unexpected_response', status: 200 });
  },
);

test('never follows a redirect with the key', async () => {
  const { call, keys } = await scripted(html(301, { location: 'http://127.0.0.1:1/' }));
  const error = await failure(call(get));
  expect(error.code).toBe('unexpected_response');
  expect(error.message).toContain('redirect (301) to http://127.0.0.1:1/');
  expect(keys).toHaveLength(1);
});

test.each([
  ['hangs', 'before'],
  ['stops in the middle of its body', 'after'],
])('times out each attempt on a server that %s', async (_, when) => {
  const expire = mockTimeouts();
  const { call, keys, transport } = await scripted(when === 'before' ? expire : halfBody);
  transport.fetch = async (...asked) => {
    const response = await fetch(...asked);
    expire();
    return response;
  };
  const error = await failure(call(post, { timeoutMs: 40, maxRetries: 1 }));
  expect(error).toBeInstanceOf(SvcTimeoutError);
  expect(error).toMatchObject({ code: 'timed_out', status: null, attempts: 2, retryable: true });
  expect(error.message).toContain('within 40 ms');
  expect(keys).toHaveLength(2);
});

test('succeeds with the attempt after one that hung', async () => {
  const { call } = await scripted(mockTimeouts(), ok);
  expect(await call(post)).toEqual({ done: true });
});

test('the error says why the connection failed', async () => {
  const { call, transport } = await scripted(ok);
  transport.baseUrl = 'http://127.0.0.1:1/v1';
  const error = await failure(call(get));
  expect(error).toBeInstanceOf(SvcConnectionError);
  expect(error).toMatchObject({ code: 'connection_failed', attempts: 3 });
  expect(error.message).toMatch(/^Cannot reach http:\/\/127\.0\.0\.1:1\/v1: .+\.$/);
  expect(error.cause).toBeInstanceOf(Error);
});

test('throws the signal’s reason when the caller aborts, and does not retry', async () => {
  const reason = new Error('the visitor left');
  const controller = new AbortController();
  const { call, keys } = await scripted(() => controller.abort(reason));
  await expect(call(get, { signal: controller.signal })).rejects.toBe(reason);
  await expect(call(get, { signal: controller.signal })).rejects.toBe(reason);
  expect(keys).toHaveLength(1);
});
