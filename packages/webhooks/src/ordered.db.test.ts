import { nullable, type Queryable, raw, row, sql, text } from '@svc/db';
import { countReads } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import { updateEndpoint } from './endpoints/update-endpoint.ts';
import { newId } from './kernel/ids.ts';
import { claim, noEndpoint } from './leases/claim.ts';
import { advanceLanes, noLane, repairLanes } from './leases/lanes.ts';
import { expungeMessage } from './messages/expunge-message.ts';
import { getMessage } from './messages/list-messages.ts';
import { controlReplay } from './replay/control-replay.ts';
import { createReplay } from './replay/create-replay.ts';
import type { Harness } from './testing/harness.ts';
import { type Received, type Receiver, statuses } from './testing/receiver.ts';
import { useEngine } from './testing/use-engine.ts';

const minute = 60_000;
const day = 86_400_000;

const laneRow = row('lane of an open delivery', { lane: nullable(text) });

describe('an ordered endpoint', () => {
  let harness: Harness;
  let receiver: Receiver;
  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('gets the messages of a subject one after another, and those of others at once', async () => {
    await orderedEndpoint();
    receiver.answer = () => {};
    await publishTo('a', 3);
    await publishTo('b', 2);
    harness.engine.wake();
    await receiver.until(2);
    expect(order().toSorted()).toEqual(['a 1', 'b 1']);
    receiver.answer = statuses(204);
    receiver.server.closeAllConnections();
    await harness.engine.idle();
    await harness.advance(5_000);
    expect(order('a').slice(1)).toEqual(['a 1', 'a 2', 'a 3']);
    expect(order('b').slice(1)).toEqual(['b 1', 'b 2']);
  });

  test('keeps the order while the receiver fails', async () => {
    await orderedEndpoint();
    const failures = new Map([
      ['a 2', 3],
      ['a 3', 1],
    ]);
    receiver.answer = (received, response) => {
      const left = failures.get(nameOf(received)) ?? 0;
      failures.set(nameOf(received), left - 1);
      response.writeHead(left > 0 ? 500 : 204).end();
    };
    const ids = await publishTo('a', 5);
    await send();
    expect(order()).toEqual(['a 1', 'a 2']);
    const waiting = await deliveryOf(ids[2]);
    expect(waiting).toMatchObject({ state: 'pending', next_attempt_at: null, attempts_made: 0 });
    await harness.advance(40 * minute);
    expect(order().join(', ')).toBe('a 1, a 2, a 2, a 2, a 2, a 3, a 3, a 4, a 5');
    expect(await openRows()).toBe(0);
  });

  test('an exhausted message lets those behind it continue', async () => {
    await orderedEndpoint();
    receiver.answer = (received, response) =>
      response.writeHead(nameOf(received) === 'a 1' ? 500 : 204).end();
    const [broken = '', next] = await publishTo('a', 3);
    await send();
    await harness.advance(day / 2);
    expect(new Set(order())).toEqual(new Set(['a 1']));
    await harness.advance(2 * day);
    expect(order().slice(-3)).toEqual(['a 1', 'a 2', 'a 3']);
    expect(await harness.state(broken)).toBe('exhausted');
    expect((await deliveryOf(next))?.state).toBe('delivered');
  });

  test('messages without a subject, and other endpoints, do not wait', async () => {
    await orderedEndpoint();
    await harness.endpoint({ url: `${receiver.url}/other` });
    receiver.answer = ({ path }, response) => response.writeHead(path === '/' ? 500 : 204).end();
    await publishTo('a', 3);
    await publishTo(null, 2);
    await send();
    const paths = (path: string) => receiver.received.filter((it) => it.path === path).map(nameOf);
    expect(paths('/other').toSorted()).toEqual(['a 1', 'a 2', 'a 3', 'null 1', 'null 2']);
    expect(paths('/').toSorted()).toEqual(['a 1', 'null 1', 'null 2']);
  });

  test('a message that is published for this process is sent at once, as with any endpoint', async () => {
    await orderedEndpoint();
    await harness.endpoint({ url: `${receiver.url}/other` });
    const { db, clock, owner, engine } = harness;
    const tx = await db.transaction(async (tx) => {
      const messages = [1, 2, 3].map((n) => ({
        id: newId('evt', clock.now()),
        owner,
        subject: 'a',
        type: 'plan.created',
        body: JSON.stringify({ name: `a ${n}` }),
      }));
      await engine.publishIn(tx, messages, clock.now());
      return tx;
    });
    engine.wake(tx);
    await engine.idle();
    const ordered = receiver.received.filter(({ path }) => path === '/').map(nameOf);
    expect(ordered).toEqual(['a 1', 'a 2', 'a 3']);
    expect(receiver.received).toHaveLength(6);
  });

  test('a lane whose process was killed before it advanced it is found by the next look', async () => {
    await orderedEndpoint();
    const { db, clock } = harness;
    const engine = harness.another({ pollMs: 1_000 });
    await engine.start();
    receiver.answer = statuses(500, 204);
    const [first = ''] = await publishTo('a', 3);
    await send();
    expect(order()).toEqual(['a 1']);
    // A process leaves this behind if it stored a success, and was killed before its next statement.
    await db.run(sql`delete from webhook_deliveries_open where message_id = ${first}`);
    await clock.advance(1_000, () => engine.idle());
    await receiver.until(3);
    await engine.idle();
    expect(order()).toEqual(['a 1', 'a 2', 'a 3']);
  });

  test('a replayed message comes before the later ones that wait, and its failure does not stop them', async () => {
    const endpoint = await orderedEndpoint();
    const [first = ''] = await publishTo('a', 1);
    await send();
    receiver.answer = statuses(500);
    await publishTo('a', 2, 2);
    await send();
    await harness.replay(first, endpoint);
    await harness.engine.idle();
    expect(order()).toEqual(['a 1', 'a 2', 'a 1']);
    receiver.answer = statuses(204);
    await harness.advance(minute);
    expect(order().slice(3)).toEqual(['a 2', 'a 3']);
  });

  test('a bulk replay sends each subject’s messages in order; canceling it leaves no lane behind', async () => {
    const endpoint = await orderedEndpoint();
    const { db, clock, owner } = harness;
    const since = clock.now();
    await publishTo('a', 4);
    await publishTo('b', 4);
    await send();
    await clock.advance(1_000);
    const input = { endpoint_id: endpoint, since, filter: { states: ['delivered'] as const } };
    const begin = () => db.transaction((tx) => createReplay(tx, owner, input, clock.now()));
    receiver.received.length = 0;
    await begin();
    await send();
    await harness.advance(1_000);
    expect(order('a')).toEqual(['a 1', 'a 2', 'a 3', 'a 4']);
    expect(order('b')).toEqual(['b 1', 'b 2', 'b 3', 'b 4']);

    receiver.answer = () => {};
    receiver.received.length = 0;
    const { id } = await begin();
    harness.engine.wake();
    await receiver.until(2);
    await db.transaction((tx) => controlReplay(tx, owner, id ?? '', 'cancel'));
    receiver.answer = statuses(204);
    receiver.server.closeAllConnections();
    await harness.engine.idle();
    await harness.advance(1_000);
    expect(receiver.received).toHaveLength(2);
    expect(await openRows()).toBe(0);
  });

  test('switched on, it orders what waits for a retry; switched off, what waited is sent at once', async () => {
    const endpoint = await harness.endpoint({ url: `${receiver.url}/` });
    receiver.answer = statuses(500);
    await publishTo('a', 2);
    await send();
    expect(order().toSorted()).toEqual(['a 1', 'a 2']);
    receiver.received.length = 0;
    await change(endpoint, { ordered: true });
    await publishTo('a', 1, 3);
    await send();
    expect(receiver.received).toHaveLength(0);
    await harness.advance(5_000);
    expect(order()).toEqual(['a 1']);
    receiver.answer = statuses(204, 500);
    await harness.advance(5 * minute);
    expect(order()).toEqual(['a 1', 'a 1', 'a 2']);
    await change(endpoint, { ordered: false });
    receiver.answer = statuses(204);
    await send();
    expect(order().at(-1)).toBe('a 3');
    await harness.advance(day);
    expect(await openRows()).toBe(0);
    expect(await distinctLanes()).toEqual([]);
  });

  test('disabled and enabled again, it gets the held messages in order; or none of them', async () => {
    const endpoint = await orderedEndpoint();
    await change(endpoint, { state: 'disabled' });
    await publishTo('a', 3);
    await change(endpoint, { state: 'enabled', held: 'release' });
    await send();
    expect(order()).toEqual(['a 1', 'a 2', 'a 3']);

    receiver.answer = statuses(500);
    await publishTo('a', 3, 4);
    await send();
    await change(endpoint, { state: 'disabled' });
    await change(endpoint, { state: 'enabled', held: 'skip' });
    receiver.answer = statuses(204);
    await publishTo('a', 1, 7);
    await send();
    expect(order().slice(3)).toEqual(['a 4', 'a 7']);
    expect(await openRows()).toBe(0);
  });

  test('an endpoint that is disabled for its failures continues in order when it is enabled', async () => {
    const endpoint = await orderedEndpoint({ disable_on_gone: true });
    receiver.answer = statuses(410);
    await publishTo('a', 3);
    await send();
    await harness.advance(day);
    expect(order()).toEqual(['a 1']);
    receiver.answer = statuses(204);
    await change(endpoint, { state: 'enabled' });
    await send();
    expect(order()).toEqual(['a 1', 'a 1', 'a 2', 'a 3']);
  });

  test('an expunged message does not hold up those behind it', async () => {
    await orderedEndpoint();
    const { db, clock, owner } = harness;
    const engine = harness.another({ pollMs: 1_000 });
    await engine.start();
    receiver.answer = statuses(500, 204);
    const [first = ''] = await publishTo('a', 2);
    await send();
    await db.transaction((tx) => expungeMessage(tx, owner, first, { cancel: true }, clock.now()));
    await clock.advance(1_000, () => engine.idle());
    await receiver.until(2);
    await engine.idle();
    expect(order()).toEqual(['a 1', 'a 2']);
  });

  test('a claim leases one delivery of a lane, whatever it finds due', async () => {
    const endpoint = await orderedEndpoint();
    await publishTo('a', 5);
    const first = await claimNow();
    expect(first.claimed).toHaveLength(1);
    expect(new Set(first.waiting.map(({ lane }) => lane))).toEqual(new Set(['a']));
    expect(await claimNow()).toEqual({ claimed: [], waiting: [] });
    await expect(
      harness.db.run(sql`
        update webhook_deliveries_open set node = 'other', lease_until = due_at
        where node is null and endpoint_id = ${endpoint}`),
    ).rejects.toThrow(/webhook_deliveries_open_lane_leased/);
  });

  test('reads a few rows to claim from a long lane, to advance it and to look for lost ones', async () => {
    const endpoint = await orderedEndpoint();
    const { db, owner, clock } = harness;
    await publishTo('a', 2);
    await claimNow();
    await db.run(sql`
      insert into webhook_deliveries_open
        (owner, message_id, endpoint_id, trigger, due_at, lane, position)
      select owner, 'evt_' || lpad(n::text, 26, '0'), endpoint_id, trigger, ${clock.now()}::timestamptz,
        case when n % 2 = 0 then lane else 'lane ' || n end, position + n
      from webhook_deliveries_open, generate_series(1, 10000) n where node is null`);
    await db.run(raw('analyze webhook_deliveries_open'));
    const now = clock.now();
    const claims = await countReads(db, (q) => claimNow(q));
    expect(claims.rows).toBeLessThan(100);
    const lane = { owner, endpointId: endpoint, lane: 'a' };
    expect((await countReads(db, (q) => advanceLanes(q, [lane], now))).rows).toBeLessThan(50);
    const request = { now, after: noLane, count: 10 };
    expect((await countReads(db, (q) => repairLanes(q, request))).rows).toBeLessThan(200);
  });

  /** Wakes the engine and waits until nothing is due. */
  async function send(): Promise<void> {
    harness.engine.wake();
    await harness.engine.idle();
  }

  function orderedEndpoint(input: { disable_on_gone?: boolean } = {}): Promise<string> {
    return harness.endpoint({ url: `${receiver.url}/`, ordered: true, ...input });
  }

  /** Publishes messages in one statement each. Their bodies name them: `a 1`, `a 2`, … */
  async function publishTo(subject: string | null, count: number, from = 1): Promise<string[]> {
    const ids: string[] = [];
    for (let n = from; n < from + count; n += 1) {
      const body = JSON.stringify({ name: `${subject} ${n}` });
      ids.push(await harness.publish({ subject, body }));
    }
    return ids;
  }

  async function change(endpointId: string, to: Parameters<typeof updateEndpoint>[4]) {
    const { db, deps, owner, clock } = harness;
    await db.transaction((tx) => updateEndpoint(tx, deps, owner, endpointId, to, clock.now()));
    // Settings are cached for a second.
    await clock.advance(1_001);
  }

  /** The names of the received messages, in the order in which they arrived. */
  function order(subject?: string): string[] {
    const names = receiver.received.map(nameOf);
    return subject === undefined ? names : names.filter((name) => name.startsWith(`${subject} `));
  }

  async function deliveryOf(messageId = '') {
    const { deliveries } = await getMessage(harness.db, harness.owner, messageId);
    return deliveries[0];
  }

  async function openRows(): Promise<number> {
    return (await lanesOfOpenRows()).length;
  }

  async function distinctLanes(): Promise<(string | null)[]> {
    return [...new Set(await lanesOfOpenRows())];
  }

  async function lanesOfOpenRows(): Promise<(string | null)[]> {
    const rows = await harness.db.many(
      laneRow,
      sql`select lane from webhook_deliveries_open
        union all select 'leased' from webhook_deliveries_leased`,
    );
    return rows.map(({ lane }) => lane);
  }

  function claimNow(q: Queryable = harness.db) {
    const now = harness.clock.now();
    return claim(q, {
      processId: 'test',
      asOf: now,
      until: new Date(now.getTime() + minute),
      startBefore: now,
      count: 10,
      capacities: new Map(),
      defaultCapacity: 10,
      after: noEndpoint,
    });
  }
});

function nameOf({ body }: Received): string {
  return JSON.parse(body).name;
}
