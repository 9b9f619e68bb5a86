import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, migrate, openDatabase } from '@svc/db';
import { createEndpoint, createEngine, type Engine, newId } from '@svc/webhooks';
import { deliverBare } from './baseline-deliver.ts';
import { type Bench, compare } from './rows.ts';
import { startReceiver } from './start-receiver.ts';

const concurrency = 64;
const count = 20_000;
const rounds = 3;
const body = JSON.stringify({ id: 'evt', data: 'x'.repeat(1_000) });
const vault = {
  seal: (plain: string) => Buffer.from(plain),
  open: (sealed: Buffer) => sealed.toString(),
};
const policy = { allowPrivate: true, allowHttp: true };
const log = { info() {}, warn: console.warn, error: console.error };
const clock = {
  now: () => new Date(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** How messages come in: how many in a publish, and how far ahead of their deliveries. */
interface Supply {
  readonly batch: number;
  readonly ahead: number;
}

const steady: Supply = { batch: 50, ahead: 300 };
const backlog: Supply = { batch: 100, ahead: Number.POSITIVE_INFINITY };

/** Published, sent, answered and committed, ÷ the bare loop of the same round. */
export const bench: Bench = async ({ databaseUrl }) => {
  const receiver = await startReceiver();
  const db = await openDatabase({ url: await databaseUrl() });
  await migrate(db, [{ name: 'webhooks', folder: 'packages/webhooks/migrations' }]);
  const { url } = receiver;
  const bare = () =>
    deliverBare({ url, count, concurrency, body, key: randomBytes(32) }).then(() => count);

  await bare();
  await deliver(db, url, steady);
  const rates = { bare: [0], steady: [0], backlog: [0] };
  for (let round = 0; round < rounds; round += 1) {
    rates.bare[round] = await perSecond(bare);
    rates.steady[round] = await deliver(db, url, steady);
    rates.backlog[round] = await deliver(db, url, backlog);
  }
  await db.close();
  receiver.stop();
  return [
    ...compare('webhook deliveries, 1 KB, steady', 'per second', 0.25, rates.steady, rates.bare),
    ...compare('webhook deliveries, 1 KB, backlog', 'per second', 0.25, rates.backlog, rates.bare),
  ];
};

async function deliver(db: Database, url: string, supply: Supply): Promise<number> {
  const engine = createEngine({
    db,
    clock,
    vault,
    log,
    policy,
    operational: async () => {},
    tuning: { inFlight: concurrency, inFlightPerEndpoint: concurrency },
  });
  const owner = newId('evt', clock.now());
  await db.transaction((tx) => createEndpoint(tx, { vault, policy }, owner, { url }, clock.now()));
  await engine.start();
  const rate = await perSecond(() => publishAndDeliver(engine, owner, supply));
  await engine.stop();
  return rate;
}

async function publishAndDeliver(engine: Engine, owner: string, supply: Supply): Promise<number> {
  const message = () => {
    const id = newId('evt', clock.now());
    return { id, owner, subject: null, type: 'plan.created', body };
  };
  let published = 0;
  const publishing = Array.from({ length: 4 }, async () => {
    while (published < count) {
      while (published - engine.stats().attempts > supply.ahead) await sleep(1);
      published += supply.batch;
      await engine.publish(Array.from({ length: supply.batch }, message));
    }
  });
  await Promise.all(publishing);
  await engine.idle();
  const { delivered } = engine.stats();
  if (delivered !== published) throw new Error(`${delivered} of ${published} delivered`);
  return delivered;
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const done = await work();
  return (done / (performance.now() - start)) * 1_000;
}
