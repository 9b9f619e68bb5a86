import { setTimeout as sleep } from 'node:timers/promises';
import { type Called, type CallOptions, callAt } from '../harness.ts';
import { type Entry, runEntry } from '../run-entry.ts';

interface KillSchedule {
  readonly callsBetweenKills: number;
  readonly kills: number;
}

/** Starts the service as a process that is killed while it handles calls, and restarted. */
export async function startKilledService(settings: Record<string, string>, schedule: KillSchedule) {
  let entry: Entry;
  let calls = 0;
  let kills = 0;
  let running = start();
  await running;

  async function start(): Promise<string> {
    entry = runEntry('serve', { settings });
    await entry.until('answers at');
    return /answers at (\S+)/.exec(entry.output().stdout)?.[1] ?? '';
  }

  /**
   * Kills the process after 0 to 15 ms, so that the kills hit different moments: before a call
   * arrives, during its transaction, or between the commit and the answer.
   */
  async function kill(): Promise<void> {
    kills += 1;
    await sleep((kills * 7) % 16);
    running = entry.end('SIGKILL').then(start);
  }

  return {
    /** Repeats a call with the same Idempotency-Key until it is answered, as the contract asks callers to. */
    async call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
      calls += 1;
      const headers = { ...options.headers, 'idempotency-key': `call-${calls}` };
      const shouldKill = calls % schedule.callsBetweenKills === 0 && kills < schedule.kills;
      for (let attempt = 1; ; attempt += 1) {
        const url = `${await running}/v1${path}`;
        const pending = callAt(url, method, { ...options, headers }).catch(() => undefined);
        if (shouldKill && attempt === 1) await kill();
        const answer = await pending;
        if (entry.child.exitCode !== null) throw new Error(entry.output().stderr);
        const isBusy = answer?.error?.code === 'idempotency_key_in_progress';
        if (answer && answer.status !== 503 && !isBusy) return answer;
      }
    },
    kills: () => kills,
    stop: () => entry.end('SIGTERM'),
  };
}
