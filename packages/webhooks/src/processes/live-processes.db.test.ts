import { bigint, type Database, row, sql, text } from '@svc/db';
import { VirtualClock } from '@svc/runtime/testing';
import { describe, expect, test } from 'vitest';
import { claim, noEndpoint } from '../leases/claim.ts';
import { type Harness, silentLog } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { createLiveProcesses } from './live-processes.ts';

describe('several processes on one database', () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('send each message once', async () => {
    await harness.endpoint({ url: receiver.url });
    const other = harness.another({ inFlight: 4, inFlightPerEndpoint: 4 });
    await other.start();
    const ids = [];
    for (let index = 0; index < 100; index += 1) ids.push(await harness.publish());
    harness.engine.wake();
    other.wake();
    await Promise.all([harness.engine.idle(), other.idle()]);
    const sent = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  test('the leases of a dead process expire, and the interrupted attempt does not count', async () => {
    await harness.endpoint({ url: receiver.url });
    const id = await harness.publish();
    const { db, clock } = harness;
    const now = clock.now();
    const until = new Date(now.getTime() + 60_000);
    const request = { processId: 'dead', asOf: now, until, startBefore: until, count: 10 };
    await claim(db, { ...request, capacities: new Map(), defaultCapacity: 10, after: noEndpoint });
    expect(await harness.state(id)).toBe('delivering');
    await db.run(
      sql`insert into webhook_nodes values ('dead', ${new Date(now.getTime() - 1_000 * 86_400_000)})`,
    );
    receiver.answer = statuses(500);
    const heir = harness.another();
    await heir.start();
    await heir.idle();
    const [attempt, ...more] = await harness.attempts(id);
    expect(more).toEqual([]);
    const first = new Date(clock.now().getTime() + 5_000).toISOString();
    expect(attempt).toMatchObject({ number: 1, next_attempt_at: first });
  });

  test('a retry scheduled by a stopped process is sent on time by the next one, without polling', async () => {
    await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const one = harness.another();
    await one.start();
    const id = await harness.publish();
    one.wake();
    await one.idle();
    await one.stop();
    const next = harness.another();
    await next.start();
    await next.idle();
    // The harness's own engine may hear of the retry, too, and claim it first.
    const bothIdle = async () => {
      await Promise.all([next.idle(), harness.engine.idle()]);
    };
    await harness.clock.advance(5_000, bothIdle);
    const [first, second] = await harness.attempts(id);
    expect(second?.started_at).toBe(first?.next_attempt_at);
  });

  test('a process that missed heartbeats does not declare others dead that missed them too', async () => {
    if (harness.db.kind === 'embedded') return;
    const { processes, heartbeats, set } = await joinNextToSilentProcess();
    set({ down: true });
    await heartbeats(10);
    set({ down: false });
    await heartbeats(1);
    expect(await nodes()).toEqual(['one', 'other']);
    await heartbeats(5);
    expect(await nodes()).toEqual(['one']);
    await processes.leave();
  });

  test('a process whose clock was set ahead declares none dead, and does again after it is set back', async () => {
    if (harness.db.kind === 'embedded') return;
    const { processes, heartbeats, set } = await joinNextToSilentProcess();
    set({ skewMs: 3_600_000 });
    await heartbeats(1);
    expect(await nodes()).toEqual(['one', 'other']);
    set({ skewMs: 0 });
    expect(processes.isAlive()).toBe(false);
    await heartbeats(1);
    expect(processes.isAlive()).toBe(true);
    expect(await nodes()).toEqual(['one', 'other']);
    await heartbeats(6);
    expect(await nodes()).toEqual(['one']);
    await processes.leave();
  });

  test('a failure under a stale lease changes nothing; a success ends the delivery', async () => {
    await harness.endpoint({ url: receiver.url });
    const answers: ((status: number) => void)[] = [];
    receiver.answer = (_, response) => {
      answers.push((status) => response.writeHead(status).end());
    };
    const id = await harness.publish();
    harness.engine.wake();
    await receiver.until(1);
    await expireLease();
    answers[0]?.(500);
    await harness.engine.idle();
    expect(await harness.state(id)).toBe('pending');
    harness.engine.wake();
    await receiver.until(2);
    await expireLease();
    answers[1]?.(200);
    await harness.engine.idle();
    expect(await harness.state(id)).toBe('delivered');
    await harness.advance(28 * 3_600_000);
    expect(receiver.received).toHaveLength(2);
  });

  test('stopping releases the deliveries that have not been started', async () => {
    await harness.endpoint({ url: receiver.url });
    const answers: (() => void)[] = [];
    receiver.answer = (_, response) => answers.push(() => response.writeHead(204).end());
    const ids = [];
    for (let index = 0; index < 6; index += 1) ids.push(await harness.publish());
    const other = harness.another({ inFlight: 2, inFlightPerEndpoint: 6 });
    await other.start();
    await receiver.until(2);
    for (const id of ids) expect(await harness.state(id)).toBe('delivering');
    const stopping = other.stop();
    for (const answer of answers) answer();
    await stopping;
    expect(receiver.received).toHaveLength(2);
    const { free, leased } = await harness.db.one(
      row('counts', { free: bigint, leased: bigint }),
      sql`select count(*) filter (where node is null) as free, count(node) as leased
        from webhook_deliveries_open`,
    );
    expect({ free, leased }).toEqual({ free: 4, leased: 0 });
  });

  /** Starts the process `one` on a separate clock, and writes one last heartbeat of a silent process. */
  async function joinNextToSilentProcess() {
    const { db } = harness;
    const time = new VirtualClock('2026-01-15T12:00:00Z');
    const state = { down: false, skewMs: 0 };
    const running = new Set<Promise<unknown>>();
    function track<T>(work: Promise<T>): Promise<T> {
      running.add(work);
      return work.finally(() => running.delete(work));
    }
    const many = db.many as (...args: unknown[]) => Promise<never[]>;
    const fallible: Database = {
      ...db,
      many: (...args: unknown[]) =>
        track(state.down ? Promise.reject(new Error('down')) : many(...args)),
      transaction: (work) => track(db.transaction(work)),
    };
    const processes = createLiveProcesses({
      db: fallible,
      clock: {
        now: () => new Date(time.now().getTime() + state.skewMs),
        after: (ms, run) => time.after(ms, run),
      },
      log: silentLog,
      processId: 'one',
      tuning: { heartbeatMs: 1_000, deadAfterMs: 4_000 },
      onDue() {},
    });
    await processes.join();
    await db.run(sql`insert into webhook_nodes values ('other', ${time.now()})`);
    return {
      processes,
      set: (changes: Partial<typeof state>) => void Object.assign(state, changes),
      async heartbeats(count: number): Promise<void> {
        for (let index = 0; index < count; index += 1) {
          await time.advance(1_000);
          while (running.size > 0) await Promise.allSettled(running);
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    };
  }

  async function nodes(): Promise<string[]> {
    const rows = await harness.db.many(
      row('process id', { id: text }),
      sql`select id from webhook_nodes where id in ('one', 'other') order by id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Does what another process does after it declared this one dead. */
  async function expireLease(): Promise<void> {
    await harness.db.run(sql`update webhook_deliveries_open
        set node = null, lease_until = null, epoch = epoch + 1`);
  }
});
