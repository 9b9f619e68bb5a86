import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, row, sql, text } from '@svc/db';
import { deliverBare, openBare } from '../baseline-deliver.ts';
import { median } from '../rows.ts';
import { monotonicMs, receiverAt } from '../start-receiver.ts';
import { paced } from '../webhooks/latency.ts';
import { percentile } from '../webhooks/setup.ts';
import { body, concurrency, type Path, type Peer, type PeerContext } from './peer.ts';

// Measures one peer in a separate process, so that its CPU time and memory are no other's. Run by
// bench/peers.ts; prints one `Measured` as JSON.

export interface Measured {
  readonly perSecond: number;
  readonly ratio: number;
  readonly ratios: readonly [number, number];
  readonly p50: number;
  readonly p99: number;
  /** Null for a peer that queues nothing. */
  readonly othersPerSecond: number | null;
  /** Of this process, its servers and the database, in seconds for 1,000 deliveries. */
  readonly cpuSeconds: number;
  readonly rssMb: number;
  readonly lost: number;
  readonly repeated: number;
}

const count = 1_000;
const rounds = 3;
const hanging = 1_000;
const hangMs = 5_000;
// Linux counts CPU time in ticks of 10 ms.
const ticksPerSecond = 100;

const [name = '', receiverOrigin = '', databaseUrl = ''] = process.argv.slice(2);
const receiver = receiverAt(receiverOrigin);
const key = randomBytes(32);
const sender = openBare({ url: receiver.at('timed'), body, key });
const context: PeerContext = {
  databaseUrl,
  receiverOrigin,
  // A receiver that hangs is given up after 15 s, which the queues count as a failure.
  deliver: (id, path) => sender.send(id, `/${path}`),
};
const { open } = (await import(`./${name}.ts`)) as { open(at: PeerContext): Promise<Peer> };
const peer = await open(context);
const database = await processOf(databaseUrl);
let lost = 0;
let repeated = 0;

await deliver();
await bare();
const own: number[] = [];
const ratios: number[] = [];
const cpu: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const before = cpuSeconds();
  const rate = await perSecond(deliver);
  cpu.push(((cpuSeconds() - before) * 1_000) / count);
  own.push(rate);
  ratios.push(rate / (await perSecond(bare)));
}
const rssMb = memoryMb();
const waits = await paced(receiver, async (started) => {
  const id = await peer.publish('timed');
  started(id, monotonicMs());
});
const othersPerSecond = peer.queues === false ? null : await deliverBesideHanging();
const measured: Measured = {
  perSecond: median(own),
  ratio: median(ratios),
  ratios: [Math.min(...ratios), Math.max(...ratios)],
  p50: percentile(waits, 0.5),
  p99: percentile(waits, 0.99),
  othersPerSecond,
  cpuSeconds: median(cpu),
  rssMb,
  lost,
  repeated,
};
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));

/** Publishes one message a call and waits until each has arrived. */
async function deliver(): Promise<void> {
  const ids = new Set<string>();
  await inParallel(count, 'timed', (id) => ids.add(id));
  const arrived = new Map<string, number>();
  const deadline = performance.now() + 60_000;
  while (arrived.size < count && performance.now() < deadline) {
    for (const [id, { times }] of await receiver.report()) {
      arrived.set(id, (arrived.get(id) ?? 0) + times);
    }
    if (arrived.size < count) await sleep(5);
  }
  lost += [...ids].filter((id) => !arrived.has(id)).length;
  repeated += [...arrived.values()].filter((times) => times > 1).length;
}

async function inParallel(total: number, path: Path, published: (id: string) => void) {
  let begun = 0;
  const callers = Array.from({ length: concurrency }, async () => {
    while (begun < total) {
      begun += 1;
      published(await peer.publish(path));
    }
  });
  await Promise.all(callers);
}

function bare(): Promise<void> {
  return deliverBare({ url: receiver.url, count, concurrency, body, key });
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - start);
}

/** Deliveries to another endpoint per second, while one with 1,000 waiting messages never answers. */
async function deliverBesideHanging(): Promise<number> {
  await inParallel(hanging, 'hang', () => {});
  await receiver.report();
  const end = performance.now() + hangMs;
  const callers = Array.from({ length: 16 }, async () => {
    while (performance.now() < end) await peer.publish('timed');
  });
  await Promise.all(callers);
  return ((await receiver.report()).size * 1_000) / hangMs;
}

/** The PostgreSQL server of the database. */
async function processOf(url: string): Promise<number> {
  const db = await openDatabase({ url }, { pool: 1 });
  const found = await db.one(
    row('backend', { pid: text }),
    sql`select pg_backend_pid()::text as pid`,
  );
  const server = Number(statOf(Number(found.pid))[1]);
  await db.close();
  return server;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const servers = [...peer.pids, database, ...childrenOf(database)];
  const ticks = servers.flatMap((pid) => {
    const stat = statOf(pid);
    // The database's processes that ended are in the last two.
    return pid === database ? stat.slice(11, 15) : stat.slice(11, 13);
  });
  return (user + system) / 1e6 + ticks.reduce((sum, it) => sum + Number(it), 0) / ticksPerSecond;
}

function memoryMb(): number {
  const pages = peer.pids.map((pid) =>
    Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]),
  );
  const own = process.memoryUsage.rss();
  return (pages.reduce((sum, it) => sum + it * 4_096, 0) + own) / 1e6;
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
  return pids.filter((pid) => Number(statOf(pid)[1]) === parent);
}

/** The fields of `/proc/<pid>/stat` from the state on; empty for a process that has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
