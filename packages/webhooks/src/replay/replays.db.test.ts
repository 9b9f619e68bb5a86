import { bigint, row, sql } from '@svc/db';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, openHarness } from '../testing/harness.ts';
import { openReceiver, type Receiver, statuses } from '../testing/receiver.ts';
import { replayStage } from '../testing/replay-stage.ts';
import { createReplay, type ReplayInput } from './create-replay.ts';

const hour = 3_600_000;

describe('a bulk replay', () => {
  let harness: Harness;
  let receiver: Receiver;
  const { deliverMany, replay, preview, read, change } = replayStage(() => harness);

  beforeAll(async () => {
    harness = await openHarness();
    receiver = await openReceiver();
  });
  afterEach(async () => {
    receiver.answer = statuses(204);
    // Runs every retry, so that the engine expects none of this test during the next one.
    await harness.advance(28 * hour);
    await harness.reset();
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await harness.close();
    await receiver.close();
  });

  test('a replay makes exactly one more attempt for each failed message, and none for others', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const delivered = await harness.deliver();
    receiver.answer = statuses(500);
    const exhausted = await deliverMany(40);
    await harness.advance(28 * hour);
    const retrying = await deliverMany(30);
    receiver.answer = statuses(200);
    receiver.received.length = 0;
    const made = await replay({ endpoint_id: endpoint });
    expect(made).toMatchObject({ state: 'running', total: 70, replayed: 0, finished_at: null });
    await harness.advance(2_000);
    expect(await read(made.id)).toMatchObject({
      state: 'completed',
      total: 70,
      replayed: 70,
      delivered: 70,
      failed: 0,
      finished_at: expect.any(String),
    });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(inOrder(ids)).toEqual(inOrder([...exhausted, ...retrying]));
    for (const id of [exhausted[0] ?? '', retrying[0] ?? '', delivered]) {
      expect(await harness.state(id)).toBe('delivered');
    }
    const attempts = await harness.attempts(exhausted[0] ?? '');
    expect(attempts.map(({ trigger }) => trigger)).toEqual([
      ...Array.from({ length: 8 }, () => 'schedule'),
      'recover',
    ]);
    await harness.advance(28 * hour);
    expect(receiver.received).toHaveLength(70);
  });

  test('can be limited to a tenant, a channel, and the result of the last attempt', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(503, 404, 503, 204);
    const busy = await harness.deliver({ subject: 't-1', channels: ['north'] });
    await harness.deliver({ subject: 't-1' });
    const other = await harness.deliver({ subject: 't-2' });
    const fine = await harness.deliver({ subject: 't-1' });
    const count = async (filter: ReplayInput['filter']) =>
      (await preview({ endpoint_id: endpoint, filter: filter ?? {} })).total;
    expect(await count({})).toBe(3);
    expect(await count({ status_class: '5xx' })).toBe(2);
    expect(await count({ status_class: '4xx' })).toBe(1);
    expect(await count({ status_class: 'none' })).toBe(0);
    expect(await count({ error_class: 'status' })).toBe(3);
    expect(await count({ error_class: 'timeout' })).toBe(0);
    expect(await count({ channel: 'north' })).toBe(1);
    expect(await count({ external_id: 't-1' })).toBe(2);
    expect(await count({ external_id: 't-1', status_class: '5xx' })).toBe(1);
    expect(await count({ external_id: 't-1', states: ['delivered'] })).toBe(1);
    expect(await count({ external_id: 't-1', states: ['skipped', 'never_attempted'] })).toBe(0);
    receiver.answer = statuses(204);
    receiver.received.length = 0;
    const filter = { status_class: '5xx', external_id: 't-1', channel: 'north' } as const;
    const made = await replay({ endpoint_id: endpoint, filter });
    await harness.advance(2_000);
    const done = await read(made.id);
    expect(done).toMatchObject({ state: 'completed', total: 1, delivered: 1 });
    expect(done.filter).toEqual({
      states: ['failed'],
      event_types: null,
      error_class: null,
      ...filter,
    });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([busy]);
    expect(await harness.state(other)).toBe('retrying');
    expect(await harness.state(fine)).toBe('delivered');
  });

  test('a failed replay does not change the pending retries', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const [id = ''] = await deliverMany(1);
    const before = await harness.attempts(id);
    const made = await replay({ endpoint_id: endpoint });
    await harness.advance(1_000);
    expect(await read(made.id)).toMatchObject({ state: 'completed', delivered: 0, failed: 1 });
    expect(await harness.state(id)).toBe('retrying');
    receiver.answer = statuses(200);
    await harness.advance(5_000);
    expect(await harness.state(id)).toBe('delivered');
    expect(before).toHaveLength(1);
    expect(await harness.attempts(id)).toHaveLength(3);
  });

  test('sends delivered, skipped and never attempted messages on request', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url, event_types: ['a.*'] });
    const delivered = await harness.deliver({ type: 'a.one' });
    await change(endpoint, { state: 'disabled' });
    const skipped = await harness.deliver({ type: 'a.one' });
    await change(endpoint, { state: 'enabled', held: 'skip' });
    const never = await harness.deliver({ type: 'b.one' });
    await harness.deliver({ type: 'c.one' });
    await change(endpoint, { event_types: ['a.one', 'b.*'] });
    const total = async (filter: ReplayInput['filter']) =>
      (await preview({ endpoint_id: endpoint, ...(filter && { filter }) })).total;
    expect(await total(undefined)).toBe(0);
    expect(await total({ states: ['delivered'] })).toBe(1);
    expect(await total({ states: ['skipped'] })).toBe(1);
    expect(await total({ states: ['never_attempted'] })).toBe(2);
    expect(await total({ states: ['delivered', 'skipped', 'never_attempted'] })).toBe(3);
    expect(await total({ states: ['delivered', 'never_attempted'], event_types: ['b.*'] })).toBe(1);
    receiver.received.length = 0;
    const all = ['delivered', 'skipped', 'never_attempted'] as const;
    const made = await replay({ endpoint_id: endpoint, filter: { states: all } });
    await harness.advance(2_000);
    expect(await read(made.id)).toMatchObject({ state: 'completed', delivered: 3, total: 3 });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(inOrder(ids)).toEqual(inOrder([delivered, skipped, never]));
    expect(await harness.state(never)).toBe('delivered');
  });

  test('sends only messages in its time window', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const [early = ''] = await deliverMany(1);
    await harness.advance(2 * hour);
    const since = harness.clock.now();
    const [middle = ''] = await deliverMany(1);
    await harness.advance(2 * hour);
    const until = harness.clock.now();
    const [late = ''] = await deliverMany(1);
    receiver.answer = statuses(200);
    await replay({ endpoint_id: endpoint, since, until });
    await harness.advance(1_000);
    const states = [early, middle, late].map((id) => harness.state(id));
    expect(await Promise.all(states)).toEqual(['retrying', 'delivered', 'retrying']);
  });

  test('does not exceed its rate', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(30);
    await harness.advance(28 * hour);
    receiver.answer = statuses(200);
    receiver.received.length = 0;
    const made = await replay({ endpoint_id: endpoint, rate_per_second: 10 });
    await harness.advance(2_000);
    expect(receiver.received.length).toBeGreaterThanOrEqual(19);
    expect(receiver.received.length).toBeLessThanOrEqual(21);
    await harness.advance(2_000);
    expect(await read(made.id)).toMatchObject({ state: 'completed', delivered: 30 });
  });

  test('continues where it was after a restart', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const ids = await deliverMany(300);
    receiver.answer = statuses(200);
    receiver.received.length = 0;
    const made = await replay({ endpoint_id: endpoint });
    await harness.advance(150);
    await harness.engine.stop();
    const midway = await read(made.id);
    expect(midway.state).toBe('running');
    expect(midway.replayed).toBeLessThan(300);
    expect(midway.replayed).toBeGreaterThan(0);
    const next = harness.another();
    await next.start();
    await next.idle();
    await harness.clock.advance(4_000, () => next.idle());
    expect(await read(made.id)).toMatchObject({ state: 'completed', total: 300, delivered: 300 });
    const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(inOrder(sent)).toEqual(inOrder(ids));
    await harness.close();
    harness = await openHarness();
  });

  test('a replay that another process created is found by the next poll', async () => {
    const endpoint_id = await harness.endpoint({ url: receiver.url });
    await deliverMany(3);
    const poller = harness.another({ pollMs: 1_000 });
    await poller.start();
    await poller.idle();
    const { db, owner, clock } = harness;
    const input = { endpoint_id, since: new Date(clock.now().getTime() - hour) };
    await clock.advance(1);
    const made = await db.transaction((tx) =>
      createReplay(tx, owner, { ...input, filter: { states: ['delivered'] } }, clock.now()),
    );
    for (let second = 0; second < 3; second += 1) {
      await clock.advance(1_000, () => poller.idle());
    }
    expect(await read(made.id)).toMatchObject({ state: 'completed', delivered: 3 });
  });

  test('a replay opens only a window at a time, so new messages are not delayed', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(400);
    const answers: (() => void)[] = [];
    receiver.answer = (_, response) => answers.push(() => response.writeHead(200).end());
    receiver.received.length = 0;
    const replaying = replay({ endpoint_id: endpoint });
    await receiver.until(32);
    const { open } = await harness.db.one(
      row('open deliveries', { open: bigint }),
      sql`
      select count(*) as open from webhook_deliveries_open where trigger = 'recover'`,
    );
    expect(open).toBe(64);
    receiver.answer = statuses(200);
    for (const answer of answers) answer();
    await replaying;
    await harness.advance(3_000);
  });

  test('waits for an earlier replay of the endpoint', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(20);
    receiver.answer = statuses(200);
    const one = await replay({ endpoint_id: endpoint, rate_per_second: 10 });
    const other = await replay({ endpoint_id: endpoint });
    await harness.advance(1_000);
    expect(await read(other.id)).toMatchObject({ replayed: 0 });
    await harness.advance(3_000);
    expect(await read(one.id)).toMatchObject({ state: 'completed', delivered: 20 });
    expect(await read(other.id)).toMatchObject({ state: 'completed', total: 0 });
  });
});

function inOrder(ids: readonly (string | undefined)[]): string[] {
  return ids.map(String).toSorted((one, other) => (one < other ? -1 : 1));
}
