import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { DatabaseTarget } from '@svc/db';
import { sourceArgs } from '@svc/db/testing';
import type { Tuning } from '../kernel/tuning.ts';
import { signal } from './signal.ts';

export interface EngineProcess {
  /** The warnings that it has logged so far. */
  readonly warnings: readonly { readonly message: string; readonly skew_ms?: number }[];
  /** Kills it, as a power failure would: nothing is released or written. */
  kill(): Promise<void>;
  /** Suspends it, which processes on other machines cannot distinguish from a crash. */
  freeze(): void;
  /** Lets it finish, and resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** Starts an engine in a separate process, whose clock is off by `skewMs`. */
export async function startEngineProcess(
  target: DatabaseTarget,
  tuning: Partial<Tuning> = {},
  skewMs = 0,
): Promise<EngineProcess> {
  const file = new URL('./deliver-until-killed.ts', import.meta.url);
  const flags = sourceArgs(file, { embedded: 'dataDir' in target });
  const args = [...flags, JSON.stringify(target), JSON.stringify(tuning), String(skewMs)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const started = signal();
  const warnings: { message: string; skew_ms?: number }[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'started') started.fire();
    else warnings.push(JSON.parse(line));
  });
  await Promise.race([started.heard, failure(child)]);
  const gone = once(child, 'exit');
  return {
    warnings,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    freeze() {
      child.kill('SIGSTOP');
    },
    async stop() {
      child.stdin.end();
      const [code] = (await gone) as [number | null];
      return code;
    },
  };
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the engine's process ended with ${code} before it started`);
}
