import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { DatabaseTarget } from '@svc/db';
import { sourceArgs } from '@svc/db/testing';
import type { Tuning } from '../../kernel/tuning.ts';
import { signal } from '../signal.ts';

export interface ChaosTask {
  /** The user agent of its requests. */
  readonly name: string;
  readonly target: DatabaseTarget;
  readonly seed: number;
  readonly owner: string;
  readonly tuning: Partial<Tuning>;
  /** Publishes while fewer deliveries than this wait in its memory. */
  readonly ahead: number;
  /** One of this many messages goes to the misbehaving endpoints. */
  readonly oneHostileIn: number;
  /** How far its clock is from the system's. */
  readonly skewMs: number;
}

export interface ChaosProcess {
  readonly name: string;
  readonly pid: number;
  /** Deliveries that were leased when it started. */
  readonly found: number;
  stepClock(skewMs: number): void;
  /** Resolves once the database has refused it a commit. */
  refused(): Promise<void>;
  /** Suspends the process with its requests in flight. */
  freeze(): void;
  /** Stops publishing. Resolves once nothing is left to deliver. */
  drain(): Promise<void>;
  kill(): Promise<void>;
  /** Resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a process that publishes and delivers. Resolves once it has started. */
export async function startChaosProcess(
  task: ChaosTask,
  accepted: (messageIds: readonly string[]) => void,
): Promise<ChaosProcess> {
  const file = new URL('./publish-and-deliver.ts', import.meta.url);
  const flags = sourceArgs(file, { embedded: 'dataDir' in task.target });
  const child = spawn(process.execPath, [...flags, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const started = signal();
  const drained = signal();
  let refused = signal();
  let found = 0;
  createInterface(child.stdout).on('line', (line) => {
    const [word, ...ids] = line.split(' ');
    if (word === 'accepted') accepted(ids);
    else if (word === 'refused') refused.fire();
    else if (word === 'leased') found = Number(ids[0]);
    else if (word === 'started') started.fire();
    else if (word === 'drained') drained.fire();
  });
  const died = gone.then(([code]) => {
    throw new Error(`a process of the torture test ended unexpectedly, with exit code ${code}`);
  });
  died.catch(() => {});
  await Promise.race([started.heard, died]);
  return {
    name: task.name,
    pid: child.pid ?? 0,
    found,
    stepClock(skewMs) {
      child.stdin.write(`clock ${skewMs}\n`);
    },
    async refused() {
      refused = signal();
      await Promise.race([refused.heard, died]);
    },
    freeze() {
      child.kill('SIGSTOP');
    },
    async drain() {
      child.stdin.write('drain\n');
      await Promise.race([drained.heard, died]);
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.stdin.end();
      const [code] = (await gone) as [number | null];
      return code;
    },
  };
}
