import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { deliverBare, openBare } from './baseline-deliver.ts';
import { openBullMq } from './peers/bullmq.ts';
import { openGraphileWorker } from './peers/graphile-worker.ts';
import type { Peer } from './peers/peer.ts';
import { type Bench, compare, type Row } from './rows.ts';
import { startReceiver } from './start-receiver.ts';

const concurrency = 64;
const batch = 50;
const count = 2_000;
const rounds = 3;
const body = JSON.stringify({ id: 'evt', data: 'x'.repeat(1_000) });
const key = randomBytes(32);

/** `npm run bench -- --peers`: other job queues against the bare loop that the engine is compared with. */
export const bench: Bench = async ({ databaseUrl }) => {
  install();
  const receiver = await startReceiver();
  const rows: Row[] = [];
  rows.push(
    ...(await measure(receiver.url, await openGraphileWorker(await databaseUrl(), concurrency))),
  );
  const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
  if (await answers(redisUrl)) {
    rows.push(...(await measure(receiver.url, await openBullMq(redisUrl, concurrency))));
  } else {
    console.log(`no BullMQ: no Redis at ${redisUrl} (set REDIS_URL)`);
  }
  receiver.stop();
  return rows;
};

async function measure(url: string, peer: Peer): Promise<Row[]> {
  const bare = () => deliverBare({ url, count, concurrency, body, key });
  await bare();
  await deliver(url, peer);
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    rates[0].push(await perSecond(() => deliver(url, peer)));
    rates[1].push(await perSecond(bare));
  }
  await peer.close();
  const rows = compare(`1 KB jobs, added in batches, ${peer.name}`, 'per second', 0, ...rates);
  // Informational, so without a floor.
  return rows.map((row) => ({ ...row, floor: null }));
}

async function deliver(url: string, peer: Peer): Promise<void> {
  const bare = openBare({ url, body, key });
  let done = 0;
  const all = new Promise<void>((resolve) => {
    peer.handle(async () => {
      await bare.post(() => {});
      done += 1;
      if (done === count) resolve();
    });
  });
  let added = 0;
  const callers = Array.from({ length: 4 }, async () => {
    while (added < count) {
      added += batch;
      await peer.add(Array.from({ length: batch }, () => body));
    }
  });
  await Promise.all(callers);
  await all;
  await bare.close();
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - start);
}

function install(): void {
  const cwd = fileURLToPath(new URL('./peers/', import.meta.url));
  if (existsSync(`${cwd}node_modules`)) return;
  const { status } = spawnSync('npm', ['ci', '--no-workspaces'], { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error('The packages in bench/peers could not be installed.');
}

function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port || 6379), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
