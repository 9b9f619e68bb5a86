import { bigint, openDatabase, row, sql } from '@svc/db';
import { testTarget } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEndpoint } from './endpoints/create-endpoint.ts';
import { newId } from './kernel/ids.ts';
import { publish } from './publishing/publish.ts';
import { type EngineProcess, startEngineProcess } from './testing/engine-process.ts';
import { migrations, testVault } from './testing/harness.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';

const deps = { vault: testVault, policy: { allowPrivate: true, allowHttp: true } };
const owner = 'partner_a';
const messages = 40;

describe('a process that is killed', () => {
  let place: Awaited<ReturnType<typeof testTarget>>;
  let receiver: Receiver;
  let running: EngineProcess | undefined;

  beforeEach(async () => {
    place = await testTarget([migrations]);
    receiver = await openReceiver(() => {});
  });
  afterEach(async () => {
    await running?.kill();
    await receiver.close();
    await place.drop();
  });

  test('loses nothing: what was in flight is sent again with the same id and bytes', {
    timeout: 90_000,
  }, async () => {
    const bodies = await publishSome();
    // On Linux the next process sees at once that it has ended; elsewhere its heartbeats must stop.
    const deadAfterMs = process.platform === 'linux' ? 3_600_000 : 400;
    const tuning = { inFlight: 8, inFlightPerEndpoint: 8, heartbeatMs: 100, deadAfterMs };
    running = await startEngineProcess(place.target, tuning);
    await receiver.until(8);
    await running.kill();

    receiver.answer = (_, response) => response.writeHead(204).end();
    running = await startEngineProcess(place.target, tuning);
    await receiver.until(messages + 8);
    expect(await running.stop()).toBe(0);
    running = undefined;

    expect(receiver.received).toHaveLength(messages + 8);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    expect(new Set(ids)).toEqual(new Set(bodies.keys()));
    for (const { headers, body } of receiver.received) {
      expect(body).toBe(bodies.get(headers['webhook-id'] ?? ''));
    }
    const left = await inDatabase((db) =>
      db.one(
        row('left rows', { open: bigint, attempts: bigint, first: bigint }),
        sql`select (select count(*) from webhook_deliveries_open) as open,
          count(*) as attempts, count(distinct message_id) as first from webhook_attempts`,
      ),
    );
    expect(left).toEqual({ open: 0, attempts: messages, first: messages });
  });

  test('keeps the order of an ordered endpoint, whenever it is killed', {
    timeout: 90_000,
  }, async () => {
    const bodies = await publishSome({ subject: 'a', ordered: true });
    receiver.answer = (_, response) => response.writeHead(204).end();
    for (const killAfter of [3, 9, 20]) {
      running = await startEngineProcess(place.target, { heartbeatMs: 100, deadAfterMs: 400 });
      await receiver.until(killAfter);
      await running.kill();
    }
    running = await startEngineProcess(place.target, { heartbeatMs: 100, deadAfterMs: 400 });
    const last = [...bodies.keys()].at(-1);
    while (receiver.received.at(-1)?.headers['webhook-id'] !== last) {
      await receiver.until(receiver.received.length + 1);
    }
    expect(await running.stop()).toBe(0);
    running = undefined;
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    // An attempt that a kill interrupts is made again.
    expect(ids.filter((id, index) => id !== ids[index - 1])).toEqual([...bodies.keys()]);
  });

  async function publishSome({
    subject = null,
    ordered = false,
  }: {
    subject?: string | null;
    ordered?: boolean;
  } = {}): Promise<Map<string, string>> {
    const now = new Date();
    const bodies = new Map<string, string>();
    for (let index = 0; index < messages; index += 1) {
      bodies.set(newId('evt', now), `{"n": ${index}, "rent": "für März"}`);
    }
    await inDatabase((db) =>
      db.transaction(async (tx) => {
        await createEndpoint(tx, deps, owner, { url: receiver.url, ordered }, now);
        const list = [...bodies].map(([id, body]) => ({
          id,
          owner,
          subject,
          type: 'plan.created',
          body,
        }));
        await publish(tx, list, now);
      }),
    );
    return bodies;
  }

  async function inDatabase<T>(work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>) {
    const db = await openDatabase(place.target);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }
});
