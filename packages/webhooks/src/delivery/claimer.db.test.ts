import { type Database, type Sql, sql } from '@svc/db';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../engine.ts';
import type { Harness } from '../testing/harness.ts';
import type { Receiver } from '../testing/receiver.ts';
import { signal } from '../testing/signal.ts';
import { useEngine } from '../testing/use-engine.ts';

describe('claiming while the database fails', () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });
  // A publish wakes the other engines on the database, and the harness's own would claim it first.
  beforeAll(() => harness.engine.stop());

  test('stop() does not wait for the next try', async () => {
    const { engine, outage } = engineWithOutages();
    await engine.start();
    await engine.idle();
    const failed = outage.begin();
    engine.wake();
    await failed;
    // The harness's clock stands still, so a wait for the next try would never end.
    await engine.stop();
    expect(engine.stats().in_flight).toBe(0);
  });

  test('claims again 250 ms after a failure, and not before', async () => {
    await harness.endpoint({ url: receiver.url });
    const { engine, outage } = engineWithOutages();
    await engine.start();
    await engine.idle();
    const failed = outage.begin();
    await harness.publish();
    engine.wake();
    await failed;
    outage.end();
    engine.wake();
    await harness.clock.advance(249);
    expect(receiver.received).toHaveLength(0);
    await harness.clock.advance(1);
    await engine.idle();
    expect(receiver.received).toHaveLength(1);
    await engine.stop();
  });

  test('finds what is due behind more endpoints than one look sees', async () => {
    await harness.endpoint({ url: receiver.url });
    const id = await harness.publish();
    const { db, owner, clock } = harness;
    const now = clock.now();
    await db.run(sql`
      insert into webhook_endpoints (owner, id, url, created_at, updated_at)
      select ${owner}, 'ep_' || lpad(n::text, 26, '0'), ${receiver.url}, ${now}::timestamptz,
        ${now}::timestamptz
      from generate_series(1, 250) as n`);
    await db.run(sql`
      insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at)
      select owner, ${id}, id, ${now}::timestamptz + interval '1 day' from webhook_endpoints
      where id < 'ep_01'`);
    const engine = harness.another();
    await engine.start();
    await engine.idle();
    await clock.advance(20, () => engine.idle());
    expect(receiver.received).toHaveLength(1);
  });

  /** Creates an engine whose claims fail during an outage. Everything else still works. */
  function engineWithOutages() {
    let down = false;
    let failed = signal();
    const { db } = harness;
    const many = db.many as (...args: unknown[]) => Promise<never[]>;
    const fallible: Database = {
      ...db,
      many: (...args: unknown[]) => {
        const claims = /for update skip locked/.test((args.at(-1) as Sql).text);
        return down && claims ? Promise.reject(new Error('the database is down')) : many(...args);
      },
    };
    const log = { info() {}, warn() {}, error: () => failed.fire() };
    return {
      engine: createEngine({ ...harness.deps, db: fallible, log }),
      outage: {
        /** Starts the outage. Resolves when the first claim has failed. */
        begin(): Promise<void> {
          down = true;
          failed = signal();
          return failed.heard;
        },
        end() {
          down = false;
        },
      },
    };
  }
});
