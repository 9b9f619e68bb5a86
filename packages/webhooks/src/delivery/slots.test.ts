import { VirtualClock } from '@svc/runtime/testing';
import { describe, expect, test } from 'vitest';
import type { Claimed } from '../kernel/claimed.ts';
import { createSlots } from './slots.ts';

describe('slots', () => {
  test('endpoints take turns, even if one of them has many deliveries waiting', () => {
    const { slots, started } = open({ inFlight: 6, perEndpoint: 6 });
    slots.offer([
      ...claimedDeliveries('a', 5),
      ...claimedDeliveries('b', 2),
      ...claimedDeliveries('c', 1),
    ]);
    expect(started()).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('a hanging endpoint fills only its own slots', async () => {
    const { slots, started, finish } = open({ inFlight: 10, perEndpoint: 2 });
    slots.offer(claimedDeliveries('hangs', 1_000));
    slots.offer(claimedDeliveries('well', 3));
    expect(started()).toEqual(['hangs', 'hangs', 'well', 'well']);
    await finish('well');
    expect(started().filter((id) => id === 'well')).toHaveLength(3);
    expect(slots.capacities().get('hangs')).toBe(0);
  });

  test('an endpoint that keeps hanging has an eighth of its slots until it answers', async () => {
    const { slots, started, finish } = open({ inFlight: 100, perEndpoint: 16 });
    slots.offer(claimedDeliveries('hangs', 100));
    expect(started()).toHaveLength(16);
    for (let time = 0; time < 30; time += 1) await finish('hangs', 'hung');
    expect(slots.inFlight()).toBe(2);
    await finish('hangs', 'done');
    expect(slots.inFlight()).toBe(16);
  });

  test('the capacity of an endpoint is what it took in the last two seconds', async () => {
    const { slots, finish, clock } = open({ inFlight: 100, perEndpoint: 4 });
    slots.offer(claimedDeliveries('a', 4));
    expect(slots.capacities().get('a')).toBe(0);
    for (let time = 0; time < 3; time += 1) await finish('a');
    expect(slots.capacities().get('a')).toBe(4 + 3 - 1);
    await clock.advance(1_000);
    expect(slots.capacities().get('a')).toBe(4 + 3 - 1);
    await clock.advance(1_000);
    expect(slots.capacities().get('a')).toBe(4 - 1);
  });

  test('a throttled endpoint gets at most that many attempts per second', async () => {
    const { slots, started, clock } = open({ inFlight: 100, perEndpoint: 100, throttle: 10 });
    slots.offer(claimedDeliveries('slow', 25));
    expect(started()).toHaveLength(1);
    await clock.advance(99);
    expect(started()).toHaveLength(1);
    await clock.advance(1);
    expect(started()).toHaveLength(2);
    await clock.advance(900);
    expect(started()).toHaveLength(11);
    await clock.advance(10_000);
    expect(started()).toHaveLength(25);
  });

  test('drain returns the deliveries that have not been started', () => {
    const { slots, started } = open({ inFlight: 2, perEndpoint: 2 });
    slots.offer(claimedDeliveries('a', 5));
    expect(slots.drain()).toHaveLength(3);
    expect(slots.size()).toBe(2);
    expect(slots.inFlight()).toBe(2);
    expect(started()).toHaveLength(2);
  });
});

function open({
  throttle,
  ...limits
}: {
  inFlight: number;
  perEndpoint: number;
  throttle?: number;
}) {
  const clock = new VirtualClock('2026-01-15T12:00:00Z');
  const running: { id: string; end: (how: 'hung' | 'done') => void }[] = [];
  const order: string[] = [];
  const slots = createSlots({
    ...limits,
    clock,
    attempts: {
      throttle: () => throttle ?? null,
      make({ endpointId }, end) {
        order.push(endpointId);
        running.push({ id: endpointId, end });
      },
    },
    onFreed() {},
  });
  return {
    slots,
    clock,
    started: () => [...order],
    async finish(id: string, how: 'hung' | 'done' = 'done') {
      const index = running.findIndex((each) => each.id === id);
      running.splice(index, 1)[0]?.end(how);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function claimedDeliveries(endpointId: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    messageId: `evt_${index}`,
    endpointId,
    trigger: 'schedule',
    step: 0,
    epoch: 1,
    lease: null,
    owner: 'partner_a',
    lane: null,
    type: 'plan.created',
    operational: false,
    body: '{}',
    version: 1,
    quota: count,
    startBefore: Number.POSITIVE_INFINITY,
  })) satisfies Claimed[] as Claimed[];
}
