import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, migrate, openDatabase } from '@svc/db';
import { createEndpoint, createEngine, type Engine, newId } from '@svc/webhooks';
import { deliverBare } from './baseline-deliver.ts';
import { type Bench, compare } from './rows.ts';
import { startReceiver } from './start-receiver.ts';

const concurrency = 64;
const slices = 4;
const count = 5_000;
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

const steady: Supply = { batch: 50, ahead: 1_000 };
const backlog: Supply = { batch: 100, ahead: Number.POSITIVE_INFINITY };

/** Published, sent, answered and committed, ÷ the bare loop of the same round. */
export const bench: Bench = async ({ databaseUrl }) => {
  const receiver = await startReceiver();
  const db = await openDatabase({ url: await databaseUrl() });
  await migrate(db, [{ name: 'webhooks', folder: 'packages/webhooks/migrations' }]);
  const { url } = receiver;
  const bare = () => deliverBare({ url, count, concurrency, body, key: randomBytes(32) });

  await bare();
  await deliver(db, url, steady);
  const rates: Record<'bare' | 'steady' | 'backlog', number[]> = {
    bare: [],
    steady: [],
    backlog: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    // In slices, so that a busy moment of the machine meets all three.
    const spent = { bare: 0, steady: 0, backlog: 0 };
    for (let slice = 0; slice < slices; slice += 1) {
      spent.bare += await milliseconds(bare);
      spent.steady += await milliseconds(() => deliver(db, url, steady));
      spent.backlog += await milliseconds(() => deliver(db, url, backlog));
    }
    for (const kind of ['bare', 'steady', 'backlog'] as const) {
      rates[kind].push((slices * count * 1_000) / spent[kind]);
    }
  }
  await db.close();
  receiver.stop();
  return [
    ...compare('webhook deliveries, 1 KB, steady', 'per second', 0.25, rates.steady, rates.bare),
    ...compare('webhook deliveries, 1 KB, backlog', 'per second', 0.25, rates.backlog, rates.bare),
  ];
};

async function deliver(db: Database, url: string, supply: Supply): Promise<void> {
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
  await publishAndDeliver(engine, owner, supply);
  await engine.stop();
}

async function publishAndDeliver(engine: Engine, owner: string, supply: Supply): Promise<void> {
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
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
