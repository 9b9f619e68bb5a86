import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DatabaseTarget } from '@svc/db';
import { sourceArgs } from '@svc/db/testing';
import { authorities, openBrokenTls } from './broken-tls.ts';
import { misbehaviors, openChaosReceiver } from './chaos-receiver.ts';

export interface SiegeReport {
  /** Memory of the delivering process, when it had nothing to do and at its highest since. */
  readonly restingMb: number;
  readonly highestMb: number;
  /** Attempts by path and what came of them: an error class, or `delivered`. */
  readonly attempts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface SiegeTask {
  readonly target: DatabaseTarget;
  readonly urls: Readonly<Record<string, string>>;
  /** Messages to each of them, all at once. */
  readonly count: number;
}

/** What each hostile path has to be recorded as. */
export const siegeClasses: Readonly<Record<string, string>> = {
  good: 'delivered',
  ...Object.fromEntries(
    Object.entries(misbehaviors).map(([path, { errorClass }]) => [path, errorClass]),
  ),
  'wrong-host': 'tls',
  expired: 'tls',
  'no-tls': 'tls',
  'cut-handshake': 'tls',
  'reset-handshake': 'tls',
  'mute-version': 'tls',
};

/** One process delivers to every hostile receiver at once, and to a good one beside them. */
export async function besiege(target: DatabaseTarget, count: number): Promise<SiegeReport> {
  const paths = ['good', ...Object.keys(misbehaviors)];
  const receiver = await openChaosReceiver(paths);
  const tls = await openBrokenTls();
  const folder = await mkdtemp(join(tmpdir(), 'svc-siege-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authorities);
  const plain = Object.fromEntries(paths.map((path) => [path, receiver.urlOf(path)]));
  const task: SiegeTask = { target, urls: { ...plain, ...tls.urls }, count };
  try {
    return await run(task, ca);
  } finally {
    tls.close();
    await receiver.close();
    await rm(folder, { recursive: true });
  }
}

async function run(task: SiegeTask, ca: string): Promise<SiegeReport> {
  const file = new URL('./hold-out.ts', import.meta.url);
  const flags = ['--expose-gc', ...sourceArgs(file, { embedded: false })];
  const child = spawn(process.execPath, [...flags, JSON.stringify(task)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as SiegeReport;
}
