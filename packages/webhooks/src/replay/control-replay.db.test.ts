import { afterEach, describe, expect, test } from 'vitest';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { replayStage } from '../testing/replay-stage.ts';
import { useEngine } from '../testing/use-engine.ts';
import { controlReplay } from './control-replay.ts';
import { previewReplay } from './create-replay.ts';
import { getReplay, listReplays } from './view-replay.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('controlling a bulk replay', () => {
  let harness: Harness;
  let receiver: Receiver;
  const { deliverMany, replay, read, control, change } = replayStage(() => harness);

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });
  // Runs before the tables are emptied, so that the engine expects no retry of the test before.
  afterEach(async () => {
    receiver.answer = statuses(204);
    await harness.advance(28 * hour);
  });

  test('a replay can be paused, resumed and canceled', async () => {
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

  test('a replay pauses when its endpoint is disabled and ends when it is deleted', async () => {
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

  test('a replay is refused for a window that is empty or too old, and for another owner', async () => {
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

  test('replays are listed newest first, page by page', async () => {
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
});
