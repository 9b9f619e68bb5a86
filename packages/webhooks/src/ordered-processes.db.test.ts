import { bigint, type Database, row, type Sql, sql } from '@svc/db';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from './engine.ts';
import { newId } from './kernel/ids.ts';
import { type Harness, silentLog } from './testing/harness.ts';
import type { Received, Receiver } from './testing/receiver.ts';
import { signal } from './testing/signal.ts';
import { useEngine } from './testing/use-engine.ts';

const openRow = row('open deliveries', { count: bigint });
const subjects = Array.from({ length: 20 }, (_, index) => `s${index}`);
const numbers = [1, 2, 3, 4, 5, 6];

describe('an ordered endpoint with several processes', () => {
  let harness: Harness;
  let receiver: Receiver;
  const retrySchedule = [0, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000];
  useEngine(
    (opened) => {
      ({ harness, receiver } = opened);
    },
    { tuning: { retrySchedule, pollMs: 500 } },
  );

  test('keeps the order of twenty subjects whose receiver fails every third request', async () => {
    await harness.endpoint({ url: receiver.url, ordered: true });
    const flight = watchFlight();
    let requests = 0;
    receiver.answer = flight.answer(() => {
      requests += 1;
      return requests % 3 === 0 ? 500 : 204;
    });
    const other = harness.another();
    await other.start();
    // Each message of a subject commits after the one before, through one of the two processes.
    for (const n of numbers) {
      await Promise.all(
        subjects.map((subject, index) =>
          publishNumber(index % 2 === n % 2 ? other : harness.engine, subject, n),
        ),
      );
    }
    while ((await countOpen()) > 0) {
      await harness.clock.advance(500, async () => {
        await harness.engine.idle();
        await other.idle();
      });
    }
    for (const subject of subjects) {
      const names = receiver.received.map(nameOf).filter((name) => name.startsWith(`${subject} `));
      const distinct = names.filter((name, index) => name !== names[index - 1]);
      expect(distinct).toEqual(numbers.map((n) => `${subject} ${n}`));
    }
    expect(requests).toBeGreaterThan(subjects.length * numbers.length);
    expect(flight.mostOfOne()).toBe(1);
    expect(flight.mostOfAll()).toBeGreaterThan(1);
  });

  function publishNumber(engine: Pick<Harness['engine'], 'publish'>, subject: string, n: number) {
    const { clock, owner } = harness;
    const id = newId('evt', clock.now());
    const body = JSON.stringify({ name: `${subject} ${n}` });
    return engine.publish([{ id, owner, subject, type: 'plan.created', body }]);
  }

  async function countOpen(): Promise<number> {
    const { count } = await harness.db.one(
      openRow,
      sql`select (select count(*) from webhook_deliveries_open)
        + (select count(*) from webhook_deliveries_leased) as count`,
    );
    return count;
  }
});

describe('an ordered endpoint whose database fails', () => {
  let harness: Harness;
  let receiver: Receiver;
  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });
  beforeAll(() => harness.engine.stop());

  test('a lane is advanced once the database answers again', async () => {
    await harness.endpoint({ url: receiver.url, ordered: true });
    let isDown = true;
    let failures = 0;
    const failedTwice = signal();
    const run = harness.db.run.bind(harness.db);
    const db: Database = {
      ...harness.db,
      run(statement: Sql) {
        const advances = statement.text.includes('webhook_deliveries_open set due_at');
        if (!isDown || !advances) return run(statement);
        return Promise.reject(new Error('the database is down'));
      },
    };
    const log = {
      ...silentLog,
      error() {
        failures += 1;
        if (failures === 2) failedTwice.fire();
      },
    };
    const engine = createEngine({ ...harness.deps, db, log });
    await engine.start();
    for (const n of [1, 2]) {
      await harness.publish({ subject: 'a', body: JSON.stringify({ name: `a ${n}` }) });
    }
    engine.wake();
    // The failures follow the claim that found the second message due, and the result of the first one.
    await failedTwice.heard;
    expect(receiver.received).toHaveLength(1);
    isDown = false;
    await harness.clock.advance(250);
    await engine.idle();
    expect(receiver.received.map(nameOf)).toEqual(['a 1', 'a 2']);
    await engine.stop();
  });
});

function nameOf({ body }: Received): string {
  return JSON.parse(body).name;
}

/** Records the most requests in flight for one subject, and the most subjects in flight at once. */
function watchFlight() {
  const inFlight = new Map<string, number>();
  let mostOfOne = 0;
  let mostOfAll = 0;
  return {
    mostOfOne: () => mostOfOne,
    mostOfAll: () => mostOfAll,
    answer:
      (statusOf: (received: Received) => number): Receiver['answer'] =>
      (received, response) => {
        const subject = nameOf(received).split(' ')[0] ?? '';
        inFlight.set(subject, (inFlight.get(subject) ?? 0) + 1);
        mostOfOne = Math.max(mostOfOne, inFlight.get(subject) ?? 0);
        mostOfAll = Math.max(mostOfAll, [...inFlight.values()].filter((count) => count > 0).length);
        // The response waits for other requests that have arrived.
        setImmediate(() => {
          inFlight.set(subject, (inFlight.get(subject) ?? 0) - 1);
          response.writeHead(statusOf(received)).end();
        });
      },
  };
}
