import { expect, test } from 'vitest';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { type AttemptQuery, findAttempts } from './find-attempts.ts';

let harness: Harness;
let receiver: Receiver;

useEngine((opened) => {
  ({ harness, receiver } = opened);
});

test('finds attempts by endpoint, outcome, class of status, error, tenant, type, channel and time', async () => {
  const good = await harness.endpoint({ url: receiver.url, event_types: ['plan.*'] });
  const down = await harness.endpoint({ url: 'http://127.0.0.1:9/', event_types: ['tenant.a'] });
  const first = await harness.deliver({
    type: 'plan.created',
    channels: ['north'],
    subject: 't-1',
  });
  await harness.clock.advance(60_000);
  const minute = harness.clock.now();
  receiver.answer = statuses(503, 404);
  const second = await harness.deliver({ type: 'plan.updated', subject: 't-1' });
  await harness.advance(5_000);
  const third = await harness.deliver({ type: 'tenant.a' });

  expect(await found({})).toEqual([third, second, second, first]);
  expect(await found({ endpoint_id: good })).toEqual([second, second, first]);
  expect(await found({ endpoint_id: down })).toEqual([third]);
  expect(await found({ succeeded: true })).toEqual([first]);
  expect(await found({ succeeded: false })).toEqual([third, second, second]);
  expect(await found({ status_class: '4xx' })).toEqual([second]);
  expect(await found({ status_class: '5xx' })).toEqual([second]);
  expect(await found({ status_class: 'none' })).toEqual([third]);
  expect(await found({ status_class: '2xx' })).toEqual([first]);
  expect(await found({ status_class: '2xx', succeeded: false })).toEqual([]);
  expect(await found({ error_class: 'connect' })).toEqual([third]);
  expect(await found({ error_class: 'status' })).toEqual([second, second]);
  expect(await found({ external_id: 't-1' })).toEqual([second, second, first]);
  expect(await found({ external_id: 't-1', endpoint_id: down })).toEqual([]);
  expect(await found({ external_id: 't-1', status_class: '4xx' })).toEqual([second]);
  expect(await found({ external_id: 't-2' })).toEqual([]);
  expect(await found({ event_types: ['plan.*'], succeeded: true })).toEqual([first]);
  expect(await found({ channel: 'north' })).toEqual([first]);
  expect(await found({ since: minute })).toEqual([third, second, second]);
  expect(await found({ until: minute })).toEqual([first]);
  const { items } = await page({ endpoint_id: good, limit: 2 });
  expect(items.map(({ number, status }) => [number, status])).toEqual([
    [2, 404],
    [1, 503],
  ]);
});

test('its pages do not change in either direction while new attempts are stored', async () => {
  await harness.endpoint({ url: receiver.url });
  receiver.answer = statuses(500, 500, 200);
  await harness.deliver();
  await harness.advance(400_000);
  for (let more = 0; more < 3; more += 1) await harness.deliver();
  const all = (await page({ limit: 100 })).items.map(({ id }) => id);
  expect(all).toHaveLength(6);

  const first = await page({ limit: 2 });
  await harness.deliver();
  const second = await page({ limit: 2, cursor: first.next_cursor ?? '' });
  const third = await page({ limit: 2, cursor: second.next_cursor ?? '' });
  const pages = [first, second, third].map(({ items }) => items.map(({ id }) => id));
  expect(pages.flat()).toEqual(all);
  expect(third.next_cursor).toBeNull();
  expect(await page({ limit: 2, cursor: first.next_cursor ?? '' })).toEqual(second);
});

test('shows only the owner’s attempts, and refuses other cursors', async () => {
  await harness.endpoint({ url: receiver.url });
  await harness.deliver();
  expect(await findAttempts(harness.db, 'partner_b', { limit: 5 })).toEqual({
    items: [],
    next_cursor: null,
    searched_back_to: null,
  });
  await expect(page({ limit: 1, cursor: 'ZXZ0Xw' })).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});

function page(query: AttemptQuery) {
  return findAttempts(harness.db, harness.owner, query);
}

async function found(query: Omit<AttemptQuery, 'limit'>): Promise<string[]> {
  const { items } = await page({ ...query, limit: 10 });
  return items.map(({ message_id }) => message_id);
}
