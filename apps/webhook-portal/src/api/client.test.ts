import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, jsonWithData } from './client.ts';

/** A service that takes the request and never answers. */
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

test('a service that never answers is a refusal after 10 s', async () => {
  const failed = call('GET', '/webhooks/endpoints').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await failed).toMatchObject({ status: 0, code: 'timeout' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a reader who leaves ends the request, and no timer is left', async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const failed = call('GET', '/webhooks/endpoints', { signal }).catch((error: unknown) => error);
  leaving.abort();
  expect(await failed).toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});

test('data is inserted as it was typed', () => {
  const typed = '{ "n": 12345678901234567890, "m": 1.0,\n "b": 1, "10": 2 }';
  expect(jsonWithData({ event_type: 'plan.created' }, typed)).toBe(
    `{"event_type":"plan.created","data":${typed}}`,
  );
});

test('what is undefined is left out, and no field is needed', () => {
  expect(jsonWithData({ a: undefined }, '{}')).toBe('{"data":{}}');
});
