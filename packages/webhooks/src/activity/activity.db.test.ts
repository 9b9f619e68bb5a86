import { describe, expect, test } from 'vitest';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { listEndpointHealth } from './endpoint-health.ts';
import { listActivity } from './list-activity.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('activity', () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('counts attempts by the minute, without gaps in the list', async () => {
    const since = harness.clock.now();
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(200, 200, 500);
    for (let sent = 0; sent < 3; sent += 1) await harness.deliver();
    receiver.answer = statuses(200);
    await harness.advance(3 * minute);
    const activity = await list(since, { endpoint_id: endpoint });
    expect(activity.step_seconds).toBe(60);
    const counts = activity.buckets.map(({ delivered, failed }) => [delivered, failed]);
    expect(counts).toEqual([
      [3, 1],
      [0, 0],
      [0, 0],
    ]);
    expect(activity.buckets[0]).toMatchObject({
      at: since.toISOString(),
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
    });
    expect(activity.buckets[1]).toMatchObject({ p50_ms: null, p95_ms: null });
  });

  test('sums minutes, hours and days in at most 120 buckets', async () => {
    await harness.endpoint({ url: receiver.url });
    for (const wait of [minute, hour, day]) {
      await harness.deliver();
      await harness.advance(wait);
    }
    for (const [window, step, sent] of [
      [100 * minute, 60, 0],
      [day, 900, 1],
      [4 * day, 3_600, 3],
      [90 * day, 86_400, 3],
    ] as const) {
      const start = new Date(harness.clock.now().getTime() - window);
      const { step_seconds, buckets } = await list(start, {});
      expect(step_seconds).toBe(step);
      expect(buckets.length).toBeLessThanOrEqual(120);
      const total = buckets.reduce((sum, { delivered }) => sum + delivered, 0);
      expect(total).toBe(sent);
    }
  });

  test('refuses a window that ends before it begins, and endpoints of another owner', async () => {
    const { db, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    await harness.deliver();
    await harness.advance(minute);
    const now = clock.now();
    const backwards = listActivity(db, owner, { since: now, until: new Date(0) }, now);
    await expect(backwards).rejects.toMatchObject({ code: 'invalid_window' });
    const window = { since: new Date(now.getTime() - hour), until: now };
    const others = await listActivity(db, 'partner_b', window, now);
    expect(others.buckets.every(({ delivered }) => delivered === 0)).toBe(true);
    const foreign = listActivity(db, 'partner_b', { ...window, endpoint_id: endpoint }, now);
    await expect(foreign).rejects.toMatchObject({ code: 'endpoint_not_found' });
    expect(await listEndpointHealth(db, 'partner_b', now)).toEqual([]);
  });

  test("an endpoint's health is its last 24 hours and its last failure", async () => {
    const { db, owner, clock } = harness;
    const quiet = await harness.endpoint({ url: receiver.url, event_types: ['never.sent'] });
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(404, 200);
    const start = Math.floor(clock.now().getTime() / hour) * hour;
    const failedAt = clock.now().toISOString();
    await harness.deliver();
    await harness.advance(2 * hour);
    await harness.deliver();
    await harness.advance(2_000);
    const [first, second] = await listEndpointHealth(db, owner, clock.now());
    expect(first).toMatchObject({ endpoint_id: quiet, last_failure: null });
    expect(second?.endpoint_id).toBe(endpoint);
    expect(second?.hours).toHaveLength(24);
    expect(second?.hours.slice(-3)).toEqual([
      { at: new Date(start).toISOString(), delivered: 1, failed: 1 },
      { at: new Date(start + hour).toISOString(), delivered: 0, failed: 0 },
      { at: new Date(start + 2 * hour).toISOString(), delivered: 1, failed: 0 },
    ]);
    expect(second?.last_failure).toEqual({
      at: failedAt,
      error_class: 'status',
      status: 404,
      hint: 'Nothing answers at this path: check the URL.',
    });
  });

  function list(since: Date, query: { endpoint_id?: string }) {
    const { db, owner, clock } = harness;
    return listActivity(db, owner, { ...query, since, until: clock.now() }, clock.now());
  }
});
