import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@svc/db';
import type { Engine } from '@svc/webhooks';
import { openBare } from '../baseline-deliver.ts';
import { compare, type Row } from '../rows.ts';
import { type BenchReceiver, monotonicMs, type RemoteReceiver } from '../start-receiver.ts';
import { addEndpoint, body, newMessage, newOwner, percentile, startEngine } from './setup.ts';

const perSecond = 200;
const seconds = 3;
const rounds = 5;

/** Compares the time from a publish's commit to its arrival with that from a bare POST's start to its arrival. */
export async function measureLatency(db: Database, receiver: BenchReceiver): Promise<Row[]> {
  const owner = newOwner();
  await addEndpoint(db, owner, receiver.at('timed'));
  const engine = await startEngine(db);
  const bare = openBare({ url: receiver.at('timed'), body, key: randomBytes(32) });
  const waits = { bare: [] as number[][], engine: [] as number[][] };
  for (let round = 0; round <= rounds; round += 1) {
    const ofBare = await paced(receiver, bare.post);
    const ofEngine = await paced(receiver, (started) => publishOne(engine, owner, started));
    // The first round is a warm-up.
    if (round > 0) {
      waits.bare.push(ofBare);
      waits.engine.push(ofEngine);
    }
  }
  await engine.stop();
  await bare.close();
  return [rowsOf('p50', 0.5, 3, waits), rowsOf('p99', 0.99, 5, waits)].flat();
}

/** Starts deliveries at an even pace. Returns the milliseconds from each start to its arrival. */
export async function paced(
  receiver: RemoteReceiver,
  start: (started: (id: string, at: number) => void) => Promise<void>,
): Promise<number[]> {
  const starts = new Map<string, number>();
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const wait = began + (index * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(start((id, at) => starts.set(id, at)));
  }
  await Promise.all(running);
  const arrivals = await arrivalTimes(receiver, starts.size);
  return [...starts].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at);
}

async function arrivalTimes(receiver: RemoteReceiver, count: number): Promise<Map<string, number>> {
  const all = new Map<string, number>();
  while (all.size < count) {
    for (const [id, { at }] of await receiver.report()) all.set(id, at);
    if (all.size < count) await sleep(20);
  }
  return all;
}

export async function publishOne(
  engine: Engine,
  owner: string,
  started: (id: string, at: number) => void,
  type?: string,
): Promise<void> {
  const message = newMessage(owner, type);
  await engine.publish([message]);
  started(message.id, monotonicMs());
}

function rowsOf(
  name: string,
  share: number,
  ceiling: number,
  waits: { bare: number[][]; engine: number[][] },
): Row[] {
  const [ofBare, ofEngine] = [waits.bare, waits.engine].map((rounds) =>
    rounds.map((values) => percentile(values, share)),
  );
  const full = `committed → received at ${perSecond}/s, ${name}`;
  const [engine, bare] = compare(full, 'ms', { ceiling }, ofEngine ?? [], ofBare ?? []);
  return [{ ...bare, name: `${full}: bare` }, engine];
}
