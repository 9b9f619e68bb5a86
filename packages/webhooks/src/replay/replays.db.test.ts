import { sql } from '@svc/db';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { type Harness, openHarness } from '../testing/harness.ts';
import { openReceiver, type Receiver, statuses } from '../testing/receiver.ts';
import { controlReplay } from './control-replay.ts';
import { createReplay, previewReplay, type ReplayInput } from './create-replay.ts';
import { getReplay, listReplays } from './view-replay.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('a bulk replay', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await openHarness();
    receiver = await openReceiver();
  });
  afterEach(async () => {
    receiver.answer = statuses(204);
    // No retry of this test is expected any more when the next one begins.
    await harness.advance(28 * hour);
    await harness.reset();
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await harness.close();
    await receiver.close();
  });

  test('gives exactly one more attempt to each message that failed, and none to others', async () => {
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
    expect(ids.toSorted()).toEqual([...exhausted, ...retrying].toSorted());
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

  test('that fails leaves the pending retries as they are', async () => {
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

  test('takes delivered, skipped and never attempted messages when asked to', async () => {
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
    expect(ids.toSorted()).toEqual([delivered, skipped, never].toSorted());
    expect(await harness.state(never)).toBe('delivered');
  });

  test('takes only messages of its time', async () => {
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

  test('keeps to its rate', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(60);
    await harness.advance(28 * hour);
    receiver.answer = statuses(200);
    receiver.received.length = 0;
    const made = await replay({ endpoint_id: endpoint, rate_per_second: 5 });
    await harness.advance(4_000);
    expect(receiver.received.length).toBeGreaterThanOrEqual(19);
    expect(receiver.received.length).toBeLessThanOrEqual(21);
    await harness.advance(20_000);
    expect(await read(made.id)).toMatchObject({ state: 'completed', delivered: 60 });
  });

  test('can be paused, resumed and canceled', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(60);
    await harness.advance(28 * hour);
    receiver.answer = statuses(200);
    receiver.received.length = 0;
    const made = await replay({ endpoint_id: endpoint, rate_per_second: 10 });
    await harness.advance(2_000);
    expect(await control(made.id, 'pause')).toMatchObject({ state: 'paused', finished_at: null });
    await harness.advance(1_000);
    const sent = receiver.received.length;
    expect(sent).toBeGreaterThan(10);
    await harness.advance(10_000);
    expect(receiver.received).toHaveLength(sent);
    expect(await read(made.id)).toMatchObject({ state: 'paused', replayed: sent, delivered: sent });
    await control(made.id, 'resume');
    await harness.advance(2_000);
    expect(receiver.received.length).toBeGreaterThan(sent);
    expect(await control(made.id, 'cancel')).toMatchObject({ state: 'canceled' });
    await harness.advance(1_000);
    const after = receiver.received.length;
    expect(await read(made.id)).toMatchObject({
      state: 'canceled',
      total: 60,
      replayed: after,
      delivered: after,
      finished_at: expect.any(String),
    });
    await expect(control(made.id, 'resume')).rejects.toMatchObject({ code: 'replay_over' });
  });

  test('goes on where it was when the process starts again', async () => {
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
    expect(sent.toSorted()).toEqual(ids.toSorted());
    await harness.close();
    harness = await openHarness();
  });

  test('lets what is new pass: little of it is handed over at a time', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(400);
    const answers: (() => void)[] = [];
    receiver.answer = (_, response) => answers.push(() => response.writeHead(200).end());
    receiver.received.length = 0;
    const replaying = replay({ endpoint_id: endpoint });
    await receiver.until(32);
    const { open } = await harness.db.one<{ open: number }>(sql`
      select count(*) as open from webhook_deliveries_open where trigger = 'recover'`);
    expect(open).toBe(64);
    receiver.answer = statuses(200);
    for (const answer of answers) answer();
    await replaying;
    await harness.advance(3_000);
  });

  test('waits for another one of the same endpoint', async () => {
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

  test('pauses when its endpoint is disabled and ends when it is deleted', async () => {
    const { db, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    await deliverMany(30);
    receiver.answer = statuses(200);
    const made = await replay({ endpoint_id: endpoint, rate_per_second: 5 });
    await harness.advance(1_000);
    await change(endpoint, { state: 'disabled' });
    await harness.advance(1_000);
    expect(await read(made.id)).toMatchObject({ state: 'paused' });
    await expect(control(made.id, 'resume')).rejects.toMatchObject({ code: 'endpoint_disabled' });
    await expect(replay({ endpoint_id: endpoint })).rejects.toMatchObject({
      code: 'endpoint_disabled',
    });
    await change(endpoint, { state: 'enabled' });
    await control(made.id, 'resume');
    await db.transaction((tx) => deleteEndpoint(tx, owner, endpoint, clock.now()));
    await harness.advance(20_000);
    expect(await read(made.id)).toMatchObject({ state: 'canceled' });
  });

  test('is refused for a window that is empty or too old, and for strangers', async () => {
    const { db, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    const since = new Date(clock.now().getTime() - 100 * day);
    const invalid = { code: 'invalid_window' };
    await expect(replay({ endpoint_id: endpoint, since })).rejects.toMatchObject(invalid);
    const until = new Date(clock.now().getTime() - 2 * day);
    await expect(replay({ endpoint_id: endpoint, until })).rejects.toMatchObject(invalid);
    const made = await replay({ endpoint_id: endpoint });
    const absent = { code: 'replay_not_found' };
    await expect(getReplay(db, 'partner_b', made.id ?? '')).rejects.toMatchObject(absent);
    const asking = db.transaction((tx) => controlReplay(tx, 'partner_b', made.id ?? '', 'cancel'));
    await expect(asking).rejects.toMatchObject(absent);
    const input = { endpoint_id: endpoint, since: clock.now(), until: new Date(0) };
    await expect(previewReplay(db, 'partner_b', input, clock.now())).rejects.toMatchObject(invalid);
    expect((await listReplays(db, 'partner_b', { limit: 10 })).items).toEqual([]);
    expect((await listReplays(db, owner, { limit: 10 })).items).toMatchObject([{ id: made.id }]);
    await harness.advance(1_000);
  });

  test('is listed newest first, page by page', async () => {
    const { db, owner } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    const ids: (string | null)[] = [];
    for (let made = 0; made < 3; made += 1) ids.push((await replay({ endpoint_id: endpoint })).id);
    await harness.advance(1_000);
    const first = await listReplays(db, owner, { limit: 2, endpoint_id: endpoint });
    const cursor = first.next_cursor ?? '';
    const second = await listReplays(db, owner, { limit: 2, endpoint_id: endpoint, cursor });
    const seen = [...first.items, ...second.items].map(({ id }) => id);
    expect(seen).toEqual(ids.toReversed());
    expect(second.next_cursor).toBeNull();
  });

  async function deliverMany(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await harness.publish());
    harness.engine.wake();
    await harness.engine.idle();
    return ids;
  }

  function inputOf(input: Partial<ReplayInput> & { endpoint_id: string }): ReplayInput {
    return { since: new Date(harness.clock.now().getTime() - 2 * day + 1), ...input };
  }

  async function replay(input: Partial<ReplayInput> & { endpoint_id: string }) {
    const { db, owner, clock } = harness;
    // `until` is now, and what was made in this millisecond is of before.
    await clock.advance(1);
    const made = await db.transaction((tx) => createReplay(tx, owner, inputOf(input), clock.now()));
    harness.engine.wake();
    await harness.engine.idle();
    return made;
  }

  async function preview(input: Partial<ReplayInput> & { endpoint_id: string }) {
    await harness.clock.advance(1);
    return previewReplay(harness.db, harness.owner, inputOf(input), harness.clock.now());
  }

  async function control(id: string | null, what: 'pause' | 'resume' | 'cancel') {
    const { db, owner } = harness;
    const view = await db.transaction((tx) => controlReplay(tx, owner, id ?? '', what));
    harness.engine.wake();
    await harness.engine.idle();
    return view;
  }

  function read(id: string | null) {
    return getReplay(harness.db, harness.owner, id ?? '');
  }

  function change(endpointId: string, what: Parameters<typeof updateEndpoint>[4]) {
    const { db, deps, owner, clock } = harness;
    return db.transaction((tx) => updateEndpoint(tx, deps, owner, endpointId, what, clock.now()));
  }
});
