import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import type { Claimed } from '../kernel/claimed.ts';
import { newId } from '../kernel/ids.ts';
import { publish } from '../publishing/publish.ts';
import { type Harness, openHarness } from '../testing/harness.ts';
import { type ClaimRequest, claim, type EndpointKey, noEndpoint, readSchedule } from './claim.ts';
import { expireLeasesOfDead, expireStaleLeases } from './expire-leases.ts';
import { releaseClaims } from './leases.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

describe('claim', () => {
  test('shares a claim evenly between endpoints, so that a backlog does not delay the others', async () => {
    const [big, small] = [await endpoint('a.big'), await endpoint('a.small')];
    await publishMany('a.big', 100);
    await publishMany('a.small', 3);
    const claimed = await claimNow({ count: 20 });
    expect(claimed.filter(({ endpointId }) => endpointId === big)).toHaveLength(10);
    expect(claimed.filter(({ endpointId }) => endpointId === small)).toHaveLength(3);
  });

  test('claims no more of an endpoint than this process has capacity for', async () => {
    const [full, free] = [await endpoint('a.full'), await endpoint('a.free')];
    await publishMany('a.full', 50);
    await publishMany('a.free', 2);
    const claimed = await claimNow({ capacities: new Map([[full, 0]]) });
    expect(claimed.map(({ endpointId }) => endpointId)).toEqual([free, free]);
    const more = await claimNow({ capacities: new Map([[full, 3]]) });
    expect(more.map(({ endpointId }) => endpointId)).toEqual([full, full, full]);
  });

  test('starts after the endpoint that the last claim ended with', async () => {
    const endpoints = [await endpoint('a.one'), await endpoint('a.one'), await endpoint('a.one')];
    await publishMany('a.one', 1);
    const [first] = await claimNow({ count: 1 });
    expect(first?.endpointId).toBe(endpoints[0]);
    const [second] = await claimNow({ count: 1, after: endpointKey(endpoints[0]) });
    expect(second?.endpointId).toBe(endpoints[1]);
    const [around] = await claimNow({ count: 1, after: endpointKey(endpoints[2]) });
    expect(around?.endpointId).toBe(endpoints[2]);
  });

  test('claims the oldest first, nothing before it is due, and nothing twice', async () => {
    await endpoint('a.one');
    const early: string[] = [];
    for (const _ of [1, 2, 3]) {
      early.push(...(await publishMany('a.one', 1)));
      await harness.clock.advance(1_000);
    }
    const late = await publishMany('a.one', 3);
    const due = new Date(harness.clock.now().getTime() - 1);
    expect(ids(await claimNow({ count: 2, asOf: due }))).toEqual(early.slice(0, 2));
    expect(ids(await claimNow({ asOf: due }))).toEqual(early.slice(2));
    const schedule = { isReplaying: false, hasLanes: false, stoppedAt: null };
    expect(await readScheduleWith({ asOf: due })).toEqual({
      ...schedule,
      isDue: false,
      nextAt: harness.clock.now(),
    });
    expect(await readScheduleWith({})).toEqual({ ...schedule, isDue: true, nextAt: null });
    expect(ids(await claimNow({}))).toEqual(late);
    expect(await claimNow({})).toEqual([]);
    expect(await readScheduleWith({})).toEqual(nothingDue);
  });

  test('leaves out disabled endpoints', async () => {
    const { db, deps, owner, clock } = harness;
    const off = await endpoint('a.one');
    await publishMany('a.one', 1);
    await db.transaction((tx) =>
      updateEndpoint(tx, deps, owner, off, { state: 'disabled' }, clock.now()),
    );
    expect(await claimNow({})).toEqual([]);
    expect(await readScheduleWith({})).toEqual(nothingDue);
  });

  test('a look at the schedule stops after its number of endpoints, and the next one continues', async () => {
    const endpoints: string[] = [];
    for (const _ of [1, 2, 3]) endpoints.push(await endpoint('a.one'));
    await publishMany('a.one', 2);
    await claimNow({ count: 4, capacities: new Map([[endpoints[2] ?? '', 0]]) });
    const off = await endpoint('a.two');
    await publishMany('a.two', 1);
    const { db, deps, owner, clock } = harness;
    await db.transaction((tx) =>
      updateEndpoint(tx, deps, owner, off, { state: 'disabled' }, clock.now()),
    );
    expect(await readScheduleWith({ count: 1 })).toMatchObject({
      isDue: true,
      stoppedAt: endpointKey(endpoints[2]),
    });
    const next = { count: 1, after: endpointKey(endpoints[2]) };
    expect(await readScheduleWith(next)).toMatchObject({
      isDue: false,
      stoppedAt: endpointKey(off),
    });
    expect(await readScheduleWith({ count: 1, after: endpointKey(off) })).toEqual(nothingDue);
  });

  test('a delivery is due again when its claim is released or its lease expires', async () => {
    await endpoint('a.one');
    const [id] = await publishMany('a.one', 1);
    await releaseClaims(harness.db, await claimNow({}));
    expect(ids(await claimNow({}))).toEqual([id]);
    const leaseMs = 60_000;
    const later = (ms: number) => new Date(harness.clock.now().getTime() + ms);
    expect(await expireStaleLeases(harness.db, later(leaseMs - 1))).toBe(0);
    expect(await expireStaleLeases(harness.db, later(leaseMs))).toBe(1);
    const [again] = await claimNow({});
    expect(again).toMatchObject({ messageId: id, step: 0, epoch: 3 });
  });

  test('a delivery whose process dies again and again waits longer each time, and is never given up', async () => {
    await endpoint('a.one');
    const [id] = await publishMany('a.one', 1);
    const waits: number[] = [];
    for (let time = 0; time < 14; time += 1) {
      const { db, clock } = harness;
      const now = clock.now();
      expect(ids(await claimNow({}))).toEqual([id]);
      await expireLeasesOfDead(db, ['test'], now);
      const { nextAt: due } = await readScheduleWith({ asOf: now });
      waits.push(due ? (due.getTime() - now.getTime()) / 60_000 : 0);
      await clock.advance(due ? due.getTime() - now.getTime() : 0);
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 64, 64]);
  });

  test('a stale claim cannot be released', async () => {
    await endpoint('a.one');
    await publishMany('a.one', 1);
    const old = await claimNow({});
    await releaseClaims(harness.db, old);
    await claimNow({});
    await releaseClaims(harness.db, old);
    expect(await claimNow({})).toEqual([]);
  });
});

function endpoint(type: string): Promise<string> {
  return harness.endpoint({ url: 'http://127.0.0.1/hook', event_types: [type] });
}

const nothingDue = {
  isDue: false,
  nextAt: null,
  isReplaying: false,
  hasLanes: false,
  stoppedAt: null,
};

function readScheduleWith(request: Partial<Parameters<typeof readSchedule>[1]>) {
  const { db, clock } = harness;
  return readSchedule(db, { asOf: clock.now(), after: noEndpoint, count: 100, ...request });
}

function endpointKey(endpointId = ''): EndpointKey {
  return { owner: harness.owner, endpointId };
}

async function publishMany(type: string, count: number): Promise<string[]> {
  const { db, owner, clock } = harness;
  const messageIds = Array.from({ length: count }, () => newId('evt', clock.now()));
  const messages = messageIds.map((id) => ({ id, owner, subject: null, type, body: '{}' }));
  await db.transaction((tx) => publish(tx, messages, clock.now()));
  return messageIds;
}

async function claimNow(request: Partial<ClaimRequest>): Promise<Claimed[]> {
  const now = harness.clock.now();
  const until = new Date(now.getTime() + 60_000);
  const { claimed } = await claim(harness.db, {
    processId: 'test',
    asOf: now,
    until,
    startBefore: until,
    count: 100,
    capacities: new Map(),
    defaultCapacity: 100,
    after: noEndpoint,
    ...request,
  });
  return claimed;
}

function ids(claimed: readonly { messageId: string }[]): string[] {
  return claimed.map(({ messageId }) => messageId).toSorted();
}
