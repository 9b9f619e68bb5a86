import { setTimeout as sleep } from 'node:timers/promises';
import { type Called, type CallOptions, callAt } from '../harness.ts';
import { type Entry, runEntry } from '../run-entry.ts';

interface Blows {
  /** So many calls are begun between two kills. */
  readonly every: number;
  readonly kills: number;
}

/** The service as a process that is killed while it is called, and started again. */
export async function startKilledService(settings: Record<string, string>, blows: Blows) {
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

  /** Whatever it is doing: some calls have not arrived, others wait for a commit or its answer. */
  async function kill(): Promise<void> {
    kills += 1;
    await sleep((kills * 7) % 16);
    running = entry.end('SIGKILL').then(start);
  }

  return {
    /** What gets no answer is repeated as the contract says: with the same key, until it does. */
    async call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
      calls += 1;
      const headers = { ...options.headers, 'idempotency-key': `call-${calls}` };
      const blow = calls % blows.every === 0 && kills < blows.kills;
      for (let attempt = 1; ; attempt += 1) {
        const url = `${await running}/v1${path}`;
        const asked = callAt(url, method, { ...options, headers }).catch(() => undefined);
        if (blow && attempt === 1) await kill();
        const answer = await asked;
        if (entry.child.exitCode !== null) throw new Error(entry.output().stderr);
        const busy = answer?.error?.code === 'idempotency_key_in_progress';
        if (answer && answer.status !== 503 && !busy) return answer;
      }
    },
    kills: () => kills,
    stop: () => entry.end('SIGTERM'),
  };
}
