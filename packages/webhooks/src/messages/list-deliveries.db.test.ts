import { expect, test } from 'vitest';
import { replayMessage } from '../replay/replay-message.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { type DeliveryQuery, listDeliveries } from './list-deliveries.ts';

let harness: Harness;
let receiver: Receiver;

useEngine((opened) => {
  ({ harness, receiver } = opened);
});

test('a row says what was sent where, which attempt it was and what came of it', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  receiver.answer = statuses(503, 204);
  const id = await harness.deliver({
    type: 'plan.created',
    subject: 't-1',
    channels: ['north'],
  });
  const { db, owner, clock, engine } = harness;
  await db.transaction((tx) => replayMessage(tx, owner, id, endpoint, clock.now()));
  engine.wake();
  await engine.idle();
  await harness.advance(5_000);

  const { items } = await list({});
  const message = {
    message_id: id,
    event_type: 'plan.created',
    external_id: 't-1',
    channels: ['north'],
    endpoint_id: endpoint,
    url: receiver.url,
    max_attempts: 8,
    duration_in_ms: expect.any(Number),
  };
  const arrived = { succeeded: true, status: 204, error_class: null, hint: null };
  expect(items).toMatchObject([
    { ...message, ...arrived, trigger: 'manual', attempt: null },
    {
      ...message,
      trigger: 'schedule',
      attempt: 1,
      succeeded: false,
      status: 503,
      error_class: 'status',
      hint: expect.stringContaining('failed while handling'),
      next_attempt_at: new Date(clock.now().getTime()).toISOString(),
    },
  ]);
});

test('failures first: every page continues where the last one ended, in both parts', async () => {
  await harness.endpoint({ url: receiver.url });
  receiver.answer = statuses(500, 204, 404, 204, 204, 500);
  for (let made = 0; made < 6; made += 1) await harness.deliver({ subject: `t-${made % 2}` });
  const statusesOf = async (query: Omit<DeliveryQuery, 'limit'>, limit: number) => {
    const found: (number | null)[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
      found.push(page.items.map(({ status }) => status));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && found.length < 10);
    return found;
  };
  const order = 'failures_first';
  expect(await statusesOf({ order }, 10)).toEqual([[500, 404, 500, 204, 204, 204]]);
  expect(await statusesOf({ order }, 2)).toEqual([
    [500, 404],
    [500, 204],
    [204, 204],
  ]);
  expect(await statusesOf({ order }, 3)).toEqual([
    [500, 404, 500],
    [204, 204, 204],
  ]);
  expect(await statusesOf({ order, status_class: '5xx' }, 1)).toEqual([[500], [500], []]);
  expect(await statusesOf({ order, succeeded: true }, 2)).toEqual([[204, 204], [204]]);
  expect((await statusesOf({ external_id: 't-1' }, 2)).flat()).toEqual([500, 204, 204]);
  expect((await statusesOf({ external_id: 't-0', order }, 1)).flat()).toEqual([404, 500, 204]);
});

test('pages of one tenant continue past messages without a matching attempt', async () => {
  await harness.endpoint({ url: receiver.url });
  receiver.answer = statuses(500, 204, 204, 204, 204);
  const oldest = await harness.deliver({ subject: 't-1' });
  for (let made = 0; made < 4; made += 1) await harness.deliver({ subject: 't-1' });
  const search = { perPage: 2, perEndpoint: 2 };
  const found: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const query = { limit: 5, external_id: 't-1', succeeded: false };
    const page = await listDeliveries(
      harness.db,
      harness.owner,
      cursor === undefined ? query : { ...query, cursor },
      search,
    );
    found.push(...page.items.map(({ message_id }) => message_id));
    cursor = page.next_cursor ?? undefined;
    pages += 1;
  } while (cursor !== undefined && pages < 10);
  expect(found).toEqual([oldest]);
  expect(pages).toBeLessThan(10);
});

test('refuses a cursor of the other order', async () => {
  await harness.endpoint({ url: receiver.url });
  await harness.deliver();
  await harness.deliver();
  const { next_cursor } = await list({ limit: 1 });
  await expect(
    list({ limit: 1, order: 'failures_first', cursor: next_cursor ?? '' }),
  ).rejects.toMatchObject({ code: 'invalid_cursor' });
});

function list(query: Partial<DeliveryQuery>) {
  return listDeliveries(harness.db, harness.owner, { limit: 10, ...query });
}
