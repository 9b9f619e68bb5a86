import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DatabaseTarget } from '@svc/db';
import { sourceArgs } from '@svc/db/testing';
import type { Tuning } from '../limits.ts';

export interface EngineProcess {
  /** As power would: nothing is released, nothing is written. */
  kill(): Promise<void>;
  /** Lets it finish; answers its exit code. */
  stop(): Promise<number | null>;
}

/** An engine in a process of its own; resolves once it is started. */
export async function startEngineProcess(
  target: DatabaseTarget,
  tuning: Partial<Tuning> = {},
): Promise<EngineProcess> {
  const file = new URL('./deliver-until-killed.ts', import.meta.url);
  const flags = sourceArgs(file, { embedded: 'dataDir' in target });
  const args = [...flags, JSON.stringify(target), JSON.stringify(tuning)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await Promise.race([once(child.stdout, 'data'), failure(child)]);
  const gone = once(child, 'exit');
  return {
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

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the engine's process ended with ${code} before it started`);
}
