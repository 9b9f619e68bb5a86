import { bigint, raw, row, sql, text } from '@svc/db';
import { testKind } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { newId } from '../kernel/ids.ts';
import { getMessage } from '../messages/list-messages.ts';
import { createReplay } from '../replay/create-replay.ts';
import { endFirstPartition } from '../testing/end-first-partition.ts';
import { type Harness, openHarness } from '../testing/harness.ts';
import { openReceiver, type Receiver, statuses } from '../testing/receiver.ts';
import { analyzeGrown } from './analyze-grown.ts';
import { createPartitions } from './create-partitions.ts';
import { dropExpired } from './drop-partitions.ts';
import { listPartitions, partitionedTables } from './list-partitions.ts';

const day = 86_400_000;

// The virtual clock starts on 15 January 2026.
describe('partitions of messages and attempts', () => {
  let harness: Harness;
  let receiver: Receiver;
  let logged: string[];
  const log = {
    info() {},
    warn: (_: object, message: string) => logged.push(message),
    error: (_: object, message: string) => logged.push(message),
  };

  beforeEach(async () => {
    // Only one test lets the engine's upkeep run during the calls that it tests.
    harness = await openHarness({ tuning: { upkeepMs: 24 * day } });
    receiver = await openReceiver();
    logged = [];
    await endFirstPartition(harness.db, new Date('2026-02-01T00:00:00.000Z'));
  });

  afterEach(async () => {
    await harness.reset();
    await harness.close();
    await receiver.close();
  });

  test('partitions exist two months ahead, whichever process checks and however often', async () => {
    const { db, clock } = harness;
    await Promise.all([1, 2, 3].map(() => createPartitions(db, log, clock.now())));
    const names = ['first', '2026_02', '2026_03'];
    expect(await namesOf('webhook_messages')).toEqual(names);
    expect(await namesOf('webhook_attempts')).toEqual(names);
    await clock.advance(20 * day);
    await createPartitions(db, log, clock.now());
    expect(await namesOf('webhook_messages')).toEqual([...names, '2026_04']);
    expect(logged).toEqual([]);
  });

  test('upkeep creates and drops them', async () => {
    const { clock } = harness;
    const keeper = harness.another({ upkeepMs: 60_000 });
    await keeper.start();
    await until(async () => {
      await clock.advance(60_000);
      return (await namesOf('webhook_attempts')).length === 3;
    });
    await clock.advance(110 * day);
    await until(async () => {
      await clock.advance(60_000);
      return (await namesOf('webhook_messages'))[0] === '2026_02';
    });
    expect(await namesOf('webhook_attempts')).toEqual(await namesOf('webhook_messages'));
  }, 30_000);

  test('partitions are analyzed once they have grown', async () => {
    const { db, clock, owner } = harness;
    const rows = async () => {
      const { count } = await db.one(
        row('estimated rows', { count: bigint }),
        sql`select reltuples::bigint as count from pg_class where relname = 'webhook_messages_first'`,
      );
      return count;
    };
    await db.run(raw('analyze webhook_messages_first'));
    expect(await rows()).toBe(0);
    await analyzeGrown(db);
    expect(await rows()).toBe(0);
    await db.run(sql`
      insert into webhook_messages (owner, id, type, body, created_at)
      select ${owner}, 'evt_0' || lpad(n::text, 25, '0'), 'a.one', repeat('x', 200),
        ${clock.now()}::timestamptz from generate_series(1, 1000) n`);
    await analyzeGrown(db);
    expect(await rows()).toBe(1_000);
  });

  test('messages without a partition are delivered from the default one, which then becomes theirs', async () => {
    const { db, clock } = harness;
    // No process ran upkeep for two and a half months.
    await endFirstPartition(db, new Date('2025-11-01T00:00:00.000Z'));
    await harness.endpoint({ url: receiver.url });
    const before = await harness.deliver({ id: newId('evt', new Date('2025-10-20')) });
    const after = await harness.deliver();
    expect(await harness.state(after)).toBe('delivered');
    expect(await partitionOf(after)).toBe('webhook_messages_default');
    expect(await createPartitions(db, log, clock.now())).toBe(true);
    expect(logged).toEqual([]);
    const names = ['first', '2025_11', '2025_12', '2026_01', '2026_02', '2026_03'];
    expect(await namesOf('webhook_messages')).toEqual(names);
    expect(await namesOf('webhook_attempts')).toEqual(names);
    expect(await partitionOf(after)).toBe('webhook_messages_2026_01');
    const next = await harness.deliver();
    expect(await partitionOf(next)).toBe('webhook_messages_2026_01');
    expect(await partitionOf(before)).toBe('webhook_messages_first');
    for (const id of [before, after, next]) {
      expect(await harness.attempts(id)).toHaveLength(1);
      await expect(harness.publish({ id })).rejects.toThrow(/duplicate key/);
    }
  });

  test('an id far from today keeps the default partition, and the log says so', async () => {
    const { db, clock } = harness;
    await clock.advance(17 * day);
    const stray = await harness.publish({ id: newId('evt', new Date('2031-01-01')) });
    const id = await harness.publish();
    expect(await createPartitions(db, log, clock.now())).toBe(false);
    expect(logged).toEqual([
      expect.stringMatching(
        /^The next partition of webhook_messages could not be created, because webhook_messages_default holds ids .*: delete those rows; rows without one are kept/,
      ),
    ]);
    await harness.publish();
    await db.run(sql`delete from webhook_messages where id = ${stray}`);
    expect(await createPartitions(db, log, clock.now())).toBe(true);
    expect(await partitionOf(id)).toBe('webhook_messages_2026_02');
  });

  test('a partition is dropped when all of its messages have expired, and not before', async () => {
    const { db, clock } = harness;
    await harness.endpoint({ url: receiver.url, event_types: ['a.one'] });
    const off = await harness.endpoint({ url: receiver.url, event_types: ['a.two'] });
    await db.transaction((tx) =>
      updateEndpoint(tx, harness.deps, harness.owner, off, { state: 'disabled' }, clock.now()),
    );
    const old = [
      await harness.deliver({ type: 'a.one' }),
      await harness.deliver({ type: 'a.two' }),
      await harness.deliver({ type: 'a.three' }),
    ];
    await createPartitions(db, log, clock.now());
    await clock.advance(20 * day);
    const young = await harness.deliver({ type: 'a.one' });
    const end = new Date('2026-02-01T00:00:00.000Z');
    await drop(new Date(end.getTime() - 1));
    expect(await namesOf('webhook_messages')).toEqual(['first', '2026_02', '2026_03']);
    await drop(end);
    expect(await namesOf('webhook_messages')).toEqual(['2026_02', '2026_03']);
    for (const id of old) {
      await expect(getMessage(db, harness.owner, id)).rejects.toMatchObject({
        code: 'message_not_found',
      });
    }
    expect(await harness.state(young)).toBe('delivered');
    expect(await counts()).toEqual({ messages: 1, attempts: 1, open: 0, undelivered: 0 });
    expect(logged).toEqual([]);
  });

  test('a message that can still be sent keeps its partition, and is delivered', async () => {
    const { db, clock } = harness;
    receiver.answer = statuses(500, 204);
    await harness.endpoint({ url: receiver.url });
    const id = await harness.deliver();
    expect(await harness.state(id)).toBe('retrying');
    await createPartitions(db, log, clock.now());
    await drop(new Date('2026-03-01T00:00:00.000Z'));
    expect(await harness.state(id)).toBe('retrying');
    await harness.advance(60_000);
    expect(await harness.state(id)).toBe('delivered');
    await drop(new Date('2026-03-01T00:00:00.000Z'));
    expect(await counts()).toMatchObject({ messages: 0, attempts: 0, open: 0 });
  });

  test('a delivery under a publish lease keeps its partition', async () => {
    const { db, clock, owner, engine } = harness;
    await harness.endpoint({ url: receiver.url });
    const id = newId('evt', clock.now());
    const message = { id, owner, subject: null, type: 'plan.created', body: '{}' };
    const tx = await db.transaction(async (tx) => {
      await engine.publishIn(tx, [message], clock.now());
      return tx;
    });
    await drop(new Date('2026-03-01T00:00:00.000Z'));
    engine.wake(tx);
    await engine.idle();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
    expect(await harness.state(id)).toBe('delivered');
  });

  test('a replay sends messages of several partitions again, and leaves out dropped ones', async () => {
    const { db, clock, owner, engine } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    await endFirstPartition(db, new Date('2026-01-20T00:00:00.000Z'));
    await createPartitions(db, log, clock.now());
    const ids = [];
    for (let week = 0; week < 3; week += 1) {
      ids.push(await harness.deliver());
      await clock.advance(7 * day);
    }
    receiver.received.length = 0;
    const input = {
      endpoint_id: endpoint,
      since: new Date(clock.now().getTime() - 89 * day),
      filter: { states: ['delivered'] as const },
    };
    const replay = async (count: number) => {
      await db.transaction((tx) => createReplay(tx, owner, input, clock.now()));
      await until(async () => {
        engine.wake();
        await harness.advance(1_000);
        return receiver.received.length >= count;
      });
    };
    await replay(3);
    expect(received().toSorted()).toEqual(ids);
    receiver.received.length = 0;
    await drop(new Date('2026-01-20T00:00:00.000Z'));
    await replay(2);
    expect(received().toSorted()).toEqual(ids.slice(1));
    await harness.replay(ids[1] ?? '', endpoint);
    await engine.idle();
    expect(received().at(-1)).toBe(ids[1]);
    await expect(harness.replay(ids[0] ?? '', endpoint)).rejects.toMatchObject({
      code: 'message_not_found',
    });
  });

  test('expired rows of the default partition are deleted', async () => {
    const { db, clock } = harness;
    await createPartitions(db, log, clock.now());
    await drop(new Date('2026-02-01T00:00:00.000Z'));
    // The partition of this id is gone. Only a wrong clock creates such an id.
    const id = await harness.publish();
    expect(await partitionOf(id)).toBe('webhook_messages_default');
    await drop(new Date('2026-02-01T00:00:00.000Z'));
    expect(await counts()).toEqual({ messages: 0, attempts: 0, open: 0, undelivered: 0 });
  });

  describe.runIf(testKind() === 'postgres')('on a server', () => {
    test('traffic continues while partitions are created, turned around and dropped', async () => {
      const { db, clock, owner } = harness;
      await harness.endpoint({ url: receiver.url });
      const ids: string[] = [];
      let running = true;
      const traffic = Array.from({ length: 4 }, async () => {
        while (running) {
          const id = newId('evt', clock.now());
          const message = { id, owner, subject: null, type: 'plan.created', body: '{}' };
          await harness.engine.publish([message]);
          await harness.attempts(id);
          ids.push(id);
        }
      });
      try {
        await endFirstPartition(db, new Date('2026-01-16T00:00:00.000Z'));
        for (let week = 0; week < 3; week += 1) {
          await until(async () => ids.length > week * 50);
          await clock.advance(7 * day);
          // If the message comes before its month has a partition, it is in the default partition.
          await harness.publish();
          while (!(await createPartitions(db, log, clock.now())));
          await harness.engine.idle();
          await drop(new Date(clock.now().getTime() - 3 * day));
        }
      } finally {
        running = false;
        await Promise.all(traffic);
      }
      harness.engine.wake();
      await harness.engine.idle();
      // Nothing of the first partition can be sent now.
      await until(async () => {
        await drop(new Date('2026-01-16T00:00:00.000Z'));
        return !(await namesOf('webhook_messages')).includes('first');
      });
      expect(received()).toEqual(expect.arrayContaining(ids));
    }, 60_000);

    test('a transaction that holds the table is named as the reason, and nothing is lost', async () => {
      const { db, clock } = harness;
      await clock.advance(17 * day);
      const id = await harness.publish();
      const reader = await readInTransaction('webhook_messages');
      expect(await createPartitions(db, log, clock.now())).toBe(false);
      expect(await dropExpired(db, log, new Date('2026-02-01T00:00:00.000Z'))).toBe('blocked');
      await reader.end();
      expect(logged).toEqual([
        expect.stringMatching(
          /^The next partition of webhook_messages could not be created, because another transaction holds the table: end/,
        ),
        expect.stringMatching(/^Expired webhook messages could not be dropped, because another/),
      ]);
      expect(await partitionOf(id)).toBe('webhook_messages_default');
      expect(await createPartitions(db, log, clock.now())).toBe(true);
      expect(await partitionOf(id)).toBe('webhook_messages_2026_02');
    });

    test('a role that may not create partitions gets a message that says what to do', async () => {
      const { db, clock } = harness;
      const role = `svc_test_${newId('evt', clock.now()).slice(-8)}`;
      await db.run(raw(`create role ${role}`));
      await db.run(raw(`grant select, insert on all tables in schema public to ${role}`));
      const asRole = {
        ...db,
        transaction: ((work) =>
          db.transaction(async (tx) => {
            await tx.run(raw(`set local role ${role}`));
            return work(tx);
          })) as typeof db.transaction,
      };
      expect(await createPartitions(asRole, log, clock.now())).toBe(false);
      expect(logged).toHaveLength(2);
      expect(logged[0]).toMatch(
        /because the database role does not own the tables .*: run "svc-admin migrate partitions" as the role that owns them;/,
      );
      await db.run(raw(`drop owned by ${role}`));
      await db.run(raw(`drop role ${role}`));
    });
  });

  /** Starts a transaction that has read a table, as a backup or a report does, and stays open until `end`. */
  async function readInTransaction(table: string): Promise<{ end(): Promise<void> }> {
    let end = () => {};
    let begun = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const reader = harness.db.transaction(async (tx) => {
      await tx.run(raw(`select from ${table} limit 1`));
      begun();
      await ended;
    });
    await hasBegun;
    return {
      async end() {
        end();
        await reader;
      },
    };
  }

  async function drop(cutoff: Date): Promise<void> {
    while ((await dropExpired(harness.db, log, cutoff)) === 'more');
  }

  /** Returns the names of the table's partitions without its own name, from oldest to newest. */
  async function namesOf(table: string): Promise<string[]> {
    const [found] = partitionedTables.filter(({ name }) => name === table);
    if (!found) return [];
    const partitions = await listPartitions(harness.db, found);
    return partitions.map(({ name }) => name.slice(table.length + 1));
  }

  async function partitionOf(id: string): Promise<string | undefined> {
    const found = await harness.db.maybe(
      row('partition of a message', { name: text }),
      sql`select tableoid::regclass::text as name from webhook_messages where id = ${id}`,
    );
    return found?.name;
  }

  function counts() {
    return harness.db.one(
      row('counts', { messages: bigint, attempts: bigint, open: bigint, undelivered: bigint }),
      sql`select (select count(*) from webhook_messages) as messages,
        (select count(*) from webhook_attempts) as attempts,
        (select count(*) from webhook_deliveries_open) as open,
        (select count(*) from webhook_deliveries_undelivered) as undelivered`,
    );
  }

  function received(): string[] {
    return receiver.received.map(({ headers }) => String(headers['webhook-id']));
  }

  async function until(condition: () => Promise<boolean>): Promise<void> {
    await expect.poll(condition, { timeout: 20_000 }).toBe(true);
  }
});
