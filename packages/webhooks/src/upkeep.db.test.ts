import { bigint, bytes, json, row, sql } from '@svc/db';
import { describe, expect, test } from 'vitest';
import { rotateSecret } from './endpoints/secrets.ts';
import {
  privateKeysContext,
  publicKeysSchema,
  rotateSigningKey,
} from './endpoints/signing-keys.ts';
import { claim, noEndpoint } from './leases/claim.ts';
import { expungeMessage } from './messages/expunge-message.ts';
import { createReplay } from './replay/create-replay.ts';
import type { Harness } from './testing/harness.ts';
import type { Receiver } from './testing/receiver.ts';
import { useEngine } from './testing/use-engine.ts';

const day = 86_400_000;

describe('upkeep', () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('expunged bytes are vacuumed from the data files', async () => {
    const { db, owner, clock } = harness;
    const id = await harness.deliver();
    const vacuums = async () => {
      const { count } = await db.one(
        row('vacuums', { count: bigint }),
        sql`select vacuum_count as count from pg_stat_user_tables
          where relname = 'webhook_messages_first'`,
      );
      return count;
    };
    const before = await vacuums();
    await db.transaction((tx) => expungeMessage(tx, owner, id, {}, clock.now()));
    const keeper = harness.another({ upkeepMs: 60_000 });
    await keeper.start();
    await clock.advance(60_000, () => keeper.idle());
    await expect.poll(vacuums).toBe(before + 1);
  });

  test('activity by the minute is deleted after two days, activity by the hour and finished replays after ninety', async () => {
    const { db, deps, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    await db.transaction((tx) => rotateSecret(tx, deps, owner, endpoint, {}, clock.now()));
    await harness.deliver();
    const input = { endpoint_id: endpoint, since: new Date(clock.now().getTime() - day) };
    await db.transaction((tx) => createReplay(tx, owner, input, clock.now()));
    harness.engine.wake();
    await harness.engine.idle();
    const keeper = harness.another({ upkeepMs: 60_000 });
    await keeper.start();
    // Activity is written a second after the results.
    await eventually(async () => {
      harness.engine.wake();
      await clock.advance(1_000, () => harness.engine.idle());
      return (await kept()).minutes > 0;
    });
    expect(await kept()).toEqual({ minutes: 1, longer: 2, replays: 1, secrets: 2 });
    await clock.advance(2 * day + 120_000, () => keeper.idle());
    await eventually(async () => {
      await clock.advance(60_000, () => keeper.idle());
      return (await kept()).minutes === 0;
    });
    expect(await kept()).toEqual({ minutes: 0, longer: 2, replays: 1, secrets: 1 });
    await clock.advance(89 * day);
    await eventually(async () => {
      await clock.advance(60_000, () => keeper.idle());
      const { longer, replays } = await kept();
      return longer === 0 && replays === 0;
    });
  }, 60_000);

  test('a key pair is deleted once it has ended, and the others keep signing', async () => {
    const { db, deps, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url, asymmetric_signature: true });
    // Far enough apart that the clock does not reach the second end while the first one is awaited.
    const hour = 3_600_000;
    const week = 7 * 24 * hour;
    const rotate = (overlap_seconds: number) =>
      db.transaction((tx) =>
        rotateSigningKey(tx, deps, owner, endpoint, { overlap_seconds }, clock.now()),
      );
    await rotate(3_600);
    const [newest, previous] = await rotate(week / 1_000);
    const stored = async () => {
      const { keys, sealed } = await db.one(
        row('keys', { keys: json(publicKeysSchema), sealed: bytes }),
        sql`select public_keys as keys, sealed_private_keys as sealed from webhook_endpoints
          where owner = ${owner} and id = ${endpoint}`,
      );
      const privateKeys: string[] = JSON.parse(
        deps.vault.open(sealed, privateKeysContext(endpoint)),
      );
      return { keys: keys.map(({ public_key }) => public_key), privateKeys };
    };
    const before = await stored();
    expect(before.keys).toHaveLength(3);
    const keeper = harness.another({ upkeepMs: 60_000 });
    await keeper.start();
    await clock.advance(60_000, () => keeper.idle());
    await keeper.idle();
    expect(await stored()).toEqual(before);
    await clock.advance(hour);
    await eventually(async () => {
      await clock.advance(60_000, () => keeper.idle());
      return (await stored()).keys.length < 3;
    });
    expect(await stored()).toEqual({
      keys: [newest?.public_key, previous?.public_key],
      privateKeys: before.privateKeys.slice(0, 2),
    });
    await clock.advance(week);
    await eventually(async () => {
      await clock.advance(60_000, () => keeper.idle());
      return (await stored()).keys.length < 2;
    });
    expect((await stored()).privateKeys).toEqual(before.privateKeys.slice(0, 1));
  });

  test('a delivery that a live process lost track of is sent when its lease expires', async () => {
    await harness.endpoint({ url: receiver.url });
    const keeper = harness.another({ upkeepMs: 5_000 });
    await keeper.start();
    await keeper.idle();
    const id = await harness.publish();
    const asOf = harness.clock.now();
    const until = new Date(asOf.getTime() + 60_000);
    const terms = { processId: 'lost-track', asOf, until, startBefore: until, after: noEndpoint };
    await claim(harness.db, { ...terms, count: 1, capacities: new Map(), defaultCapacity: 1 });
    await eventually(async () => {
      await harness.clock.advance(5_000, () => keeper.idle());
      // Upkeep may have found the lease only now. If the clock moved on before the delivery is claimed and
      // sent, it would be too late for its new lease, and would wait for the next poll.
      await keeper.idle();
      return (await harness.state(id)) === 'delivered';
    });
    const [attempt] = await harness.attempts(id);
    expect(Date.parse(attempt?.started_at ?? '')).toBeGreaterThanOrEqual(until.getTime());
  });

  test('the table of open deliveries is vacuumed after `vacuumAfter` finished ones', async () => {
    await harness.endpoint({ url: receiver.url });
    const keeper = harness.another({ upkeepMs: 5_000, vacuumAfter: 10 });
    await keeper.start();
    let published = 0;
    let isEmpty = false;
    // A vacuum keeps rows that a statement running at that moment can still see, such as a heartbeat.
    // The vacuum after the next deliveries removes them, too.
    for (let round = 0; round < 5 && !isEmpty; round += 1) {
      for (let index = 0; index < 20; index += 1) await harness.publish();
      published += 20;
      keeper.wake();
      await keeper.idle();
      expect(await pages()).toBeGreaterThan(0);
      await harness.clock.advance(1_000, () => keeper.idle());
      await harness.clock.advance(4_000);
      isEmpty = await expect
        .poll(pages, { timeout: 4_000 })
        .toBe(0)
        .then(
          () => true,
          () => false,
        );
    }
    expect(isEmpty).toBe(true);
    expect(receiver.received).toHaveLength(published);
  });

  const keptRow = row('kept rows', {
    minutes: bigint,
    longer: bigint,
    replays: bigint,
    secrets: bigint,
  });

  function kept() {
    return harness.db.one(
      keptRow,
      sql`select (select count(*) from webhook_activity where step_seconds = 60) as minutes,
        (select count(*) from webhook_activity where step_seconds > 60) as longer,
        (select count(*) from webhook_replays) as replays,
        (select count(*) from webhook_secrets) as secrets`,
    );
  }

  /** The size of the table. A vacuum truncates the empty pages at its end. */
  async function pages(): Promise<number> {
    const { size } = await harness.db.one(
      row('size', { size: bigint }),
      sql`select pg_relation_size('webhook_deliveries_open') as size`,
    );
    return size;
  }

  /** engine.idle() does not wait for upkeep. Vitest's timeout ends this loop if it fails. */
  async function eventually(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition()));
  }
});
