import { verifyWebhook } from '@svc/node';
import { afterEach, expect, test, vi } from 'vitest';
import { listenLocally, type Received } from '../testing/open-cli.ts';
import type { FeedEvent } from './feed.ts';
import { createForwarder, type Delivered, type ForwardOptions } from './forward.ts';
import { newSecret } from './sign.ts';

// A busy machine may take seconds for what a free one does at once.
const soon = { timeout: 20_000 };

const secret = newSecret();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function eventOf(id: string): FeedEvent {
  const text = `{"id":"${id}","type":"plan.created","external_id":"t-1","data":{"n":1.0}}`;
  return { event: JSON.parse(text), text };
}

async function receiver(...statuses: number[]) {
  const server = await listenLocally((_request: Received) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    return { status: status ?? 204, body: `why ${status}`, headers: { location: '/elsewhere' } };
  });
  closers.push(server.close);
  return server;
}

function forwarderTo(url: string, options: Partial<ForwardOptions> = {}) {
  const results: Delivered[] = [];
  const waiting = vi.fn<() => void>();
  const forwarder = createForwarder({
    url: new URL(`${url}/hooks?a=1`),
    secret,
    headers: { 'x-mine': 'yes' },
    timeoutMs: 5_000,
    retryDelaysMs: [1, 1],
    probeMs: 5,
    signal: new AbortController().signal,
    delivered: (result) => results.push(result),
    waiting,
    ...options,
  });
  return { ...forwarder, results, waiting };
}

test('posts the exact text, signed like a delivery of the service', async () => {
  const server = await receiver(204);
  const event = eventOf('evt_1');
  const { forward, results } = forwarderTo(server.origin);
  await forward(event);
  const [one] = server.received;
  expect(one).toMatchObject({
    method: 'POST',
    path: '/hooks?a=1',
    body: event.text,
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'x-mine': 'yes' },
  });
  expect(verifyWebhook(one?.body ?? '', one?.headers ?? {}, secret).id).toBe('evt_1');
  expect(one?.headers['svix-signature']).toBe(one?.headers['webhook-signature']);
  expect(results).toMatchObject([{ status: 204, ok: true, attempt: 1, retryInMs: null }]);
});

test('sends a failed event again, with a new timestamp and the same id', async () => {
  const server = await receiver(500, 503, 200);
  const { forward, results, unfinished } = forwarderTo(server.origin);
  await forward(eventOf('evt_1'));
  expect(results).toMatchObject([
    { status: 500, attempt: 1, retryInMs: 1, body: 'why 500' },
    { status: 503, attempt: 2, retryInMs: 1 },
    { status: 200, attempt: 3, retryInMs: null, problem: null },
  ]);
  expect(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(unfinished()).toBe(0);
});

test.each([
  [302, 'a redirect to /elsewhere is a failure in production too'],
  [404, 'nothing is at /hooks'],
  [405, '/hooks does not accept POST'],
  [400, 'svc listen --print-secret'],
  [500, 'the receiver failed'],
])('gives up after its retries, and says what a %i means', async (status, problem) => {
  const server = await receiver(status);
  const { forward, results } = forwarderTo(server.origin, { retryDelaysMs: [] });
  await forward(eventOf('evt_1'));
  expect(results).toMatchObject([{ status, ok: false, attempt: 1, retryInMs: null }]);
  expect(results[0]?.problem).toContain(problem);
});

test('events wait for a receiver that is not there, and use up no attempt', async () => {
  const gone = await receiver(204);
  await gone.close();
  const { forward, results, waiting } = forwarderTo(gone.origin);
  const all = Promise.all(['evt_1', 'evt_2', 'evt_3'].map((id) => forward(eventOf(id))));
  await expect.poll(() => waiting.mock.calls.length, soon).toBe(1);
  const back = await listenLocally(() => ({ status: 204 }), gone.port);
  closers.push(back.close);
  await all;
  expect(results.map(({ ok, attempt }) => [ok, attempt])).toEqual(Array(3).fill([true, 1]));
  expect(back.received).toHaveLength(3);
});

test('without retries, a receiver that is not there is a failure', async () => {
  const gone = await receiver(204);
  await gone.close();
  const { forward, results } = forwarderTo(gone.origin, { retryDelaysMs: [] });
  await forward(eventOf('evt_1'));
  expect(results).toMatchObject([
    { status: null, ok: false, problem: expect.stringContaining('nothing listens at') },
  ]);
});

test('an event that waits for its retry when the command ends counts as unfinished', async () => {
  const server = await receiver(500);
  const stop = new AbortController();
  const { forward, results, unfinished } = forwarderTo(server.origin, {
    retryDelaysMs: [60_000],
    signal: stop.signal,
  });
  const work = forward(eventOf('evt_1'));
  await expect.poll(() => results.length, soon).toBe(1);
  stop.abort();
  await work;
  expect(unfinished()).toBe(1);
});
