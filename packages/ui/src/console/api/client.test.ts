import type { ApiRoutes } from '@svc/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { watchUserActivity } from './user-activity.ts';

const { call } = createClient<ApiRoutes>('/v1');

/** A fetch that never responds. */
function silentFetch(_: unknown, { signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', silentFetch);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a service that never responds fails with a timeout after 10 s', async () => {
  const failed = call('GET', '/webhooks/endpoints').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await failed).toMatchObject({ status: 0, code: 'timeout' });
  expect(vi.getTimerCount()).toBe(0);
});

test('aborting ends the request and clears the timer', async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const failed = call('GET', '/webhooks/endpoints', { signal }).catch((error: unknown) => error);
  leaving.abort();
  expect(await failed).toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});

test('path parameters are encoded', async () => {
  const urls: unknown[] = [];
  vi.stubGlobal('fetch', async (url: unknown) => {
    urls.push(url);
    return new Response('{"error":null,"data":null}');
  });
  await call('GET', '/webhooks/endpoints/{id}', { params: { id: 'a/b$&' } });
  await call('POST', '/webhooks/messages/{id}/expunge', { params: { id: 'm' }, body: {} });
  expect(urls).toEqual(['/v1/webhooks/endpoints/a%2Fb%24%26', '/v1/webhooks/messages/m/expunge']);
});

test('a page that has been idle for a minute marks its reads', async () => {
  const marks: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: unknown, { headers }: RequestInit) => {
    marks.push(new Headers(headers).get('svc-background'));
    return new Response('{"error":null,"data":null}');
  });
  const page = new EventTarget();
  watchUserActivity(page);
  page.dispatchEvent(new Event('keydown'));
  await call('GET', '/webhooks/endpoints');
  vi.advanceTimersByTime(60_000);
  await call('GET', '/webhooks/endpoints');
  await call('POST', '/portal/test_presets', { body: '{}' });
  page.dispatchEvent(new Event('pointermove'));
  await call('GET', '/webhooks/endpoints');
  expect(marks).toEqual([null, '1', null, null]);
});

test.each([
  ['unavailable', 503, '7', 'The service can’t answer right now. Try again in 7 seconds.'],
  ['rate_limited', 429, '1', 'There were too many requests. Try again in 1 second.'],
  ['rate_limited', 429, null, 'as the service says it'],
  ['unavailable', 503, null, 'The service can’t answer right now. Try again in a moment.'],
  ['internal_error', 500, '7', 'as the service says it'],
])(
  '%s (%i) with Retry-After %s reads as a sentence for people',
  async (code, status, wait, says) => {
    const error = { code, message: 'as the service says it' };
    const headers = wait === null ? undefined : { 'retry-after': wait };
    vi.stubGlobal('fetch', async () =>
      Response.json({ data: null, error }, { status, ...(headers && { headers }) }),
    );
    await expect(call('GET', '/webhooks/endpoints')).rejects.toThrow(says);
  },
);
