import { bigint, type Database, instant, openDatabase, row, sql, text } from '@svc/db';
import { testKind, testTarget } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { newId } from '../kernel/ids.ts';
import type { Tuning } from '../kernel/tuning.ts';
import { publish } from '../publishing/publish.ts';
import { type EngineProcess, startEngineProcess } from '../testing/engine-process.ts';
import { migrations, testVault } from '../testing/harness.ts';
import { openReceiver, type Receiver } from '../testing/receiver.ts';

const owner = 'partner_a';
const messages = 30;
const hourMs = 3_600_000;

// An embedded database allows only one process.
describe.runIf(testKind() === 'postgres')('processes whose clocks differ', () => {
  let place: Awaited<ReturnType<typeof testTarget>>;
  let db: Database;
  let receiver: Receiver;
  let answers: (() => void)[];
  const running = new Set<EngineProcess>();

  beforeEach(async () => {
    place = await testTarget([migrations]);
    db = await openDatabase(place.target);
    answers = [];
    receiver = await openReceiver((_, response) => {
      answers.push(() => response.writeHead(204).end());
    });
  });
  afterEach(async () => {
    for (const each of running) await each.kill();
    running.clear();
    await db.close();
    await receiver.close();
    await place.drop();
  });

  test.each([
    ['8 s ahead of', 0, 8_000],
    ['8 s behind', -8_000, 0],
  ])(
    'one %s the other: no lease expires, and nothing is sent twice',
    { timeout: 60_000 },
    async (_, holderSkewMs, otherSkewMs) => {
      const holder = await start(holderSkewMs);
      await publishMessages();
      await receiver.until(messages);
      const other = await start(otherSkewMs);
      await heartbeats(10);
      expect(receiver.received).toHaveLength(messages);
      for (const answer of answers) answer();
      expect([await stop(holder), await stop(other)]).toEqual([0, 0]);
      expect(receiver.received).toHaveLength(messages);
      expect(await rows()).toEqual({ attempts: messages, open: 0, leases: 0 });
      const logged = [...holder.warnings, ...other.warnings];
      const skewMs = holderSkewMs + otherSkewMs;
      expect(logged).toMatchObject([
        {
          message: expect.stringMatching(
            /^the clock of process \d+ on .+ is [\d.]+ s (ahead|behind)/,
          ),
        },
      ]);
      expect(Math.abs((logged[0]?.skew_ms ?? 0) - skewMs)).toBeLessThan(1_000);
    },
  );

  test('a process an hour ahead that dies is declared dead as soon as any other', {
    timeout: 60_000,
  }, async () => {
    const ahead = await start(hourMs, { deadAfterMs: 1_000 });
    await publishMessages();
    await receiver.until(messages);
    const other = await start(0, { deadAfterMs: 1_000 });
    receiver.answer = (_, response) => response.writeHead(204).end();
    ahead.freeze();
    await receiver.until(2 * messages);
    expect(await stop(other)).toBe(0);
    expect(other.warnings).toMatchObject([{ message: expect.stringContaining('took over') }]);
    expect(await rows()).toEqual({ attempts: messages, open: 0, leases: 0 });
  });

  async function start(skewMs: number, tuning: Partial<Tuning> = {}): Promise<EngineProcess> {
    const frequent = { heartbeatMs: 100, ...tuning };
    const started = await startEngineProcess(place.target, frequent, skewMs);
    running.add(started);
    return started;
  }

  function stop(each: EngineProcess): Promise<number | null> {
    running.delete(each);
    return each.stop();
  }

  /** Resolves after each process has written this many heartbeats, and so has judged the other. */
  async function heartbeats(count: number): Promise<void> {
    const seen = new Map<string, Set<number>>();
    const fewest = async () => {
      const nodes = await db.many(
        row('process', { id: text, beat_at: instant }),
        sql`
        select id, beat_at from webhook_nodes`,
      );
      for (const { id, beat_at } of nodes) {
        seen.set(id, (seen.get(id) ?? new Set()).add(beat_at.getTime()));
      }
      return seen.size < 2 ? 0 : Math.min(...[...seen.values()].map(({ size }) => size));
    };
    await expect.poll(fewest, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
  }

  async function publishMessages(): Promise<void> {
    const now = new Date();
    const deps = { vault: testVault, policy: { allowPrivate: true, allowHttp: true } };
    const list = Array.from({ length: messages }, () => ({
      id: newId('evt', now),
      owner,
      subject: null,
      type: 'plan.created',
      body: '{}',
    }));
    await db.transaction(async (tx) => {
      await createEndpoint(tx, deps, owner, { url: receiver.url }, now);
      await publish(tx, list, now);
    });
  }

  function rows() {
    return db.one(
      row('counts', { attempts: bigint, open: bigint, leases: bigint }),
      sql`
      select (select count(*) from webhook_attempts) as attempts,
        (select count(*) from webhook_deliveries_open) as open,
        (select count(*) from webhook_leases) as leases`,
    );
  }
});
