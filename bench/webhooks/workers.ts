import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '@svc/db';
import { publish } from '@svc/webhooks';
import { compare, type Row } from '../rows.ts';
import type { BenchReceiver } from '../start-receiver.ts';
import { addEndpoint, clock, newMessage, newOwner } from './setup.ts';

const messages = 20_000;
const endpoints = 8;
const batch = 500;
const rounds = 3;

/** Compares the rate of two processes on a backlog with the rate of one. Fails if a message was sent twice. */
export async function measureWorkers(
  db: Database,
  url: string,
  receiver: BenchReceiver,
): Promise<Row[]> {
  const rates = { one: [] as number[], two: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.one.push(await perSecond(db, url, receiver, 1));
    rates.two.push(await perSecond(db, url, receiver, 2));
  }
  return compare(
    'a backlog, two processes ÷ one',
    'per second',
    { floor: 0.8 },
    rates.two,
    rates.one,
  );
}

async function perSecond(
  db: Database,
  url: string,
  receiver: BenchReceiver,
  count: number,
): Promise<number> {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url)));
  await fillBacklog(db, receiver);
  const began = performance.now();
  for (const worker of workers) worker.stdin?.write('go\n');
  const seen = new Set<string>();
  let twice = 0;
  while (seen.size < messages) {
    await sleep(10);
    for (const [id, { times }] of await receiver.report()) {
      twice += times - 1 + (seen.has(id) ? 1 : 0);
      seen.add(id);
    }
  }
  const spent = performance.now() - began;
  await Promise.all(workers.map(stopWorker));
  if (twice > 0) throw new Error(`${count} processes sent ${twice} messages twice`);
  return (messages * 1_000) / spent;
}

async function fillBacklog(db: Database, receiver: BenchReceiver): Promise<void> {
  const owner = newOwner();
  for (let index = 0; index < endpoints; index += 1) {
    await addEndpoint(db, owner, receiver.at(`timed-${index}`), `to.${index}`);
  }
  for (let published = 0; published < messages; published += batch) {
    const some = Array.from({ length: batch }, (_, index) =>
      newMessage(owner, `to.${index % endpoints}`),
    );
    await db.transaction((tx) => publish(tx, some, clock.now()));
  }
}

/** Starts a worker and resolves once it waits for its start signal. */
export async function startWorker(url: string): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('./worker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', file, url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

export async function stopWorker(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}
