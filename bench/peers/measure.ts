import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverBare, openBare } from '../baseline-deliver.ts';
import {
  cpuSeconds as cpuSecondsOf,
  findServerProcess,
  residentMb,
  serverCpuSeconds,
} from '../process-usage.ts';
import { median, range } from '../rows.ts';
import { monotonicMs, receiverAt } from '../start-receiver.ts';
import { paced } from '../webhooks/latency.ts';
import { percentile } from '../webhooks/setup.ts';
import { body, concurrency, type Path, type Peer, type PeerContext } from './peer.ts';

// Measures one peer in a separate process, so that no other peer's CPU time and memory are counted. bench/peers.ts
// runs it. It prints one `Measured` as JSON.

/** The median of all rounds, with the lowest and the highest value. */
export interface Figure {
  readonly value: number;
  readonly spread: readonly [number, number];
}

export interface Measured {
  readonly perSecond: Figure;
  /** The bare loop's own rate, in the same rounds. */
  readonly barePerSecond: Figure;
  readonly ratio: Figure;
  /** Milliseconds from the call that publishes a message to its arrival. */
  readonly p50: Figure;
  readonly p99: Figure;
  /** Deliveries to another endpoint while one hangs. Null for a peer that queues nothing. */
  readonly othersPerSecond: number | null;
  /** CPU time of this process, its servers and the database for 1,000 deliveries. */
  readonly cpuSeconds: Figure;
  readonly rssMb: number;
  readonly lost: number;
  readonly repeated: number;
}

// A round publishes until one of these limits is reached, and ends when everything has arrived.
const mostMessages = 10_000;
const mostPublishMs = 3_000;
/** Messages that have not arrived by then count as lost. The slowest peer delivers about 70 a second. */
const arrivalMs = 180_000;
const rounds = 5;
const hanging = 1_000;
const hangMs = 5_000;

const [name = '', receiverOrigin = '', databaseUrl = ''] = process.argv.slice(2);
const receiver = receiverAt(receiverOrigin);
const key = randomBytes(32);
const sender = openBare({ url: receiver.at('timed'), body, key });
const context: PeerContext = {
  databaseUrl,
  receiverOrigin,
  // A request to a hanging receiver times out after 15 s, which the queues count as a failure.
  deliver: (id, path) => sender.send(id, `/${path}`),
};
const { open } = (await import(`./${name}.ts`)) as { open(at: PeerContext): Promise<Peer> };
const peer = await open(context);
const database = await findServerProcess(databaseUrl);
let lost = 0;
let repeated = 0;

await deliver();
await bare();
const perSecond: number[] = [];
const barePerSecond: number[] = [];
const cpu: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const before = cpuSeconds();
  const own = await deliver();
  cpu.push(((cpuSeconds() - before) * 1_000) / own.delivered);
  perSecond.push(own.perSecond);
  barePerSecond.push(await bare());
}
const rssMb = memoryMb();
const waits: number[][] = [];
for (let round = 0; round < rounds; round += 1) {
  waits.push(
    await paced(receiver, async (started) => {
      const calledAt = monotonicMs();
      started(await peer.publish('timed'), calledAt);
    }),
  );
}
const othersPerSecond = peer.queues === false ? null : await deliverBesideHanging();
const measured: Measured = {
  perSecond: figureOf(perSecond),
  barePerSecond: figureOf(barePerSecond),
  ratio: figureOf(perSecond.map((rate, round) => rate / (barePerSecond[round] ?? Number.NaN))),
  p50: figureOf(waits.map((ofRound) => percentile(ofRound, 0.5))),
  p99: figureOf(waits.map((ofRound) => percentile(ofRound, 0.99))),
  othersPerSecond,
  cpuSeconds: figureOf(cpu),
  rssMb,
  lost,
  repeated,
};
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));

function figureOf(values: readonly number[]): Figure {
  return { value: median(values), spread: range(values) };
}

/**
 * Publishes one message per call and waits until each has arrived. The rate is measured from the first call
 * to the last arrival.
 */
async function deliver(): Promise<{ delivered: number; perSecond: number }> {
  const began = monotonicMs();
  const isOver = (begun: number) => begun >= mostMessages || monotonicMs() - began >= mostPublishMs;
  const ids = await publishUntil(isOver, 'timed');
  const arrived = new Map<string, number>();
  let lastAt = began;
  const deadline = monotonicMs() + arrivalMs;
  while (arrived.size < ids.length && monotonicMs() < deadline) {
    for (const [id, { at, times }] of await receiver.report()) {
      arrived.set(id, (arrived.get(id) ?? 0) + times);
      lastAt = Math.max(lastAt, at);
    }
    if (arrived.size < ids.length) await sleep(20);
  }
  lost += ids.filter((id) => !arrived.has(id)).length;
  repeated += [...arrived.values()].filter((times) => times > 1).length;
  return { delivered: arrived.size, perSecond: (arrived.size * 1_000) / (lastAt - began) };
}

/** Publishes from 64 callers. `isOver` gets the number of calls that were begun. */
async function publishUntil(isOver: (begun: number) => boolean, path: Path): Promise<string[]> {
  const ids: string[] = [];
  let begun = 0;
  const publishNext = async () => {
    while (!isOver(begun)) {
      begun += 1;
      ids.push(await peer.publish(path));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, publishNext));
  return ids;
}

/** Returns the rate of the bare loop. */
async function bare(): Promise<number> {
  const began = performance.now();
  await deliverBare({ url: receiver.url, count: mostMessages, concurrency, body, key });
  return (mostMessages * 1_000) / (performance.now() - began);
}

/** Deliveries to another endpoint per second, while one with 1,000 waiting messages never answers. */
async function deliverBesideHanging(): Promise<number> {
  await publishUntil((begun) => begun >= hanging, 'hang');
  await receiver.report();
  const end = performance.now() + hangMs;
  const callers = Array.from({ length: 16 }, async () => {
    while (performance.now() < end) await peer.publish('timed');
  });
  await Promise.all(callers);
  return ((await receiver.report()).size * 1_000) / hangMs;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const servers = peer.pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  return (user + system) / 1e6 + servers + serverCpuSeconds(database);
}

function memoryMb(): number {
  return [process.pid, ...peer.pids].reduce((sum, pid) => sum + residentMb(pid), 0);
}
