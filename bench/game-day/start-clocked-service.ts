import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../start-service.ts';

export type Order =
  | { readonly do: 'create partners'; readonly names: readonly string[] }
  | { readonly do: 'advance'; readonly ms: number };

export type Reply =
  | { readonly did: 'start'; readonly url: string }
  | { readonly did: 'create partners'; readonly keys: readonly string[] }
  | { readonly did: 'advance'; readonly now: string }
  | { readonly did: 'fail'; readonly reason: string };

export interface ClockedService {
  readonly url: string;
  /** Creates partners that get payouts, and returns the key of each. */
  createPartners(names: readonly string[]): Promise<readonly string[]>;
  /** Moves its clock, and returns the new time. */
  advance(ms: number): Promise<Date>;
  stop(): Promise<void>;
}

interface Start {
  readonly settings: Settings;
  /** How far the service's clock is ahead of the system's. */
  readonly aheadMs: number;
  /** The file to which the service's log is appended. */
  readonly logFile: string;
}

/** Starts the service as a process whose clock can be moved. */
export async function startClockedService({
  settings,
  aheadMs,
  logFile,
}: Start): Promise<ClockedService> {
  const log = openSync(logFile, 'a');
  const file = fileURLToPath(new URL('./service-process.ts', import.meta.url));
  const child = fork(file, [String(aheadMs)], {
    execArgv: ['--conditions=source', '--import', 'tsx'],
    env: { ...process.env, ...settings },
    stdio: ['ignore', log, log, 'ipc'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`The service exited with ${code}. Its log is ${logFile}.`);
  });
  ended.catch(() => {});

  async function waitForReply<Did extends Reply['did']>(
    did: Did,
  ): Promise<Extract<Reply, { did: Did }>> {
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Reply];
    if (answer.did === did) return answer as Extract<Reply, { did: Did }>;
    throw new Error(answer.did === 'fail' ? answer.reason : `The service replied ${answer.did}.`);
  }

  const { url } = await waitForReply('start');
  return {
    url,
    async createPartners(names) {
      child.send({ do: 'create partners', names } satisfies Order);
      return (await waitForReply('create partners')).keys;
    },
    async advance(ms) {
      child.send({ do: 'advance', ms } satisfies Order);
      return new Date((await waitForReply('advance')).now);
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
