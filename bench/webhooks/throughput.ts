import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@svc/db';
import { deliverBare } from '../baseline-deliver.ts';
import { compare, type Row } from '../rows.ts';
import { addEndpoint, body, newMessage, newOwner, startEngine } from './setup.ts';

const concurrency = 64;
const warmUps = 2;
const slices = 2;
const rounds = 5;

/** How messages are published. */
export interface Supply {
  readonly name: string;
  /** Messages per publish. */
  readonly batch: number;
  readonly callers: number;
  /** Messages that may be published but not yet attempted. */
  readonly ahead: number;
  readonly floor: number;
}

/** Compares messages per second, from publish to committed result, with the bare loop of the same round. */
export async function measureThroughput(
  db: Database,
  url: string,
  supplies: readonly Supply[],
  count: number,
): Promise<Row[]> {
  const bare = () => deliverBare({ url, count, concurrency, body, key: randomBytes(32) });
  for (let times = 0; times < warmUps; times += 1) {
    await bare();
    for (const supply of supplies) await deliver(db, url, supply, count);
  }
  const rates = [[], ...supplies.map(() => [])] as number[][];
  for (let round = 0; round < rounds; round += 1) {
    // Rounds are divided into slices, so that a busy moment of the machine affects all supplies.
    const spent = rates.map(() => 0);
    for (let slice = 0; slice < slices; slice += 1) {
      const works = [bare, ...supplies.map((supply) => () => deliver(db, url, supply, count))];
      for (const [index, work] of works.entries()) {
        spent[index] = (spent[index] ?? 0) + (await milliseconds(work));
      }
    }
    for (const [index, ms] of spent.entries()) rates[index]?.push((slices * count * 1_000) / ms);
  }
  return supplies.flatMap(({ name, floor }, index) => {
    const [measured, baseline] = compare(
      name,
      'per second',
      { floor },
      rates[index + 1] ?? [],
      rates[0] ?? [],
    );
    return index === 0 ? [baseline, measured] : measured;
  });
}

async function deliver(db: Database, url: string, supply: Supply, count: number): Promise<void> {
  const owner = newOwner();
  await addEndpoint(db, owner, url);
  const engine = await startEngine(db, concurrency);
  let published = 0;
  const publishing = Array.from({ length: supply.callers }, async () => {
    while (published < count) {
      while (published - engine.stats().attempts > supply.ahead) await sleep(1);
      published += supply.batch;
      await engine.publish(Array.from({ length: supply.batch }, () => newMessage(owner)));
    }
  });
  await Promise.all(publishing);
  await engine.idle();
  const { delivered } = engine.stats();
  await engine.stop();
  if (delivered !== published) throw new Error(`${delivered} of ${published} delivered`);
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
