import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DatabaseTarget } from '@svc/db';
import { sourceArgs } from '@svc/db/testing';
import { authorities, openBrokenTls } from './broken-tls.ts';
import { misbehaviors, openChaosReceiver } from './chaos-receiver.ts';

export interface AttackReport {
  /** Memory of the delivering process before the attack, and its maximum during it. */
  readonly restingMb: number;
  readonly highestMb: number;
  /** Attempts by path and outcome: an error class, or `delivered`. */
  readonly attempts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface AttackTask {
  readonly target: DatabaseTarget;
  readonly urls: Readonly<Record<string, string>>;
  /** Messages to each URL, all at once. */
  readonly count: number;
}

/** The outcome that each path must have. */
export const expectedOutcomes: Readonly<Record<string, string>> = {
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

/** Lets one process deliver to all hostile receivers and a good one at the same time. */
export async function attack(target: DatabaseTarget, count: number): Promise<AttackReport> {
  const paths = ['good', ...Object.keys(misbehaviors)];
  const receiver = await openChaosReceiver(paths);
  const tls = await openBrokenTls();
  const folder = await mkdtemp(join(tmpdir(), 'svc-attack-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authorities);
  const plain = Object.fromEntries(paths.map((path) => [path, receiver.urlOf(path)]));
  const task: AttackTask = { target, urls: { ...plain, ...tls.urls }, count };
  try {
    return await runAttack(task, ca);
  } finally {
    tls.close();
    await receiver.close();
    await rm(folder, { recursive: true });
  }
}

async function runAttack(task: AttackTask, ca: string): Promise<AttackReport> {
  const file = new URL('./withstand-attack.ts', import.meta.url);
  const flags = ['--expose-gc', ...sourceArgs(file, { embedded: false })];
  const child = spawn(process.execPath, [...flags, JSON.stringify(task)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as AttackReport;
}
