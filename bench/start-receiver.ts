import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Arrival {
  /** Milliseconds on the monotonic clock, which all processes share. */
  readonly at: number;
  readonly times: number;
}

/** A receiver in another process. */
export interface RemoteReceiver {
  /** The URL of `/hook`, which answers at once. */
  readonly url: string;
  /** The URL of a path: `/hook` answers at once, `/timed…` also records the arrival, `/hang` never answers. */
  at(path: string): string;
  /** Arrivals at `/timed…` since the last report, by message. */
  report(): Promise<Map<string, Arrival>>;
}

export interface BenchReceiver extends RemoteReceiver {
  readonly origin: string;
  stop(): void;
}

/** Starts the receiver in a separate process, which ends with this one. */
export async function startReceiver(): Promise<BenchReceiver> {
  const file = fileURLToPath(new URL('./receiver.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${String(port).trim()}`;
  return { ...receiverAt(origin), origin, stop: () => child.stdin.end() };
}

export function receiverAt(origin: string): RemoteReceiver {
  return {
    url: `${origin}/hook`,
    at: (path) => `${origin}/${path}`,
    async report() {
      const response = await fetch(`${origin}/report`, { method: 'POST' });
      const seen = (await response.json()) as [string, { at: string; times: number }][];
      return new Map(
        seen.map(([id, { at, times }]) => [id, { at: Number(BigInt(at) / 1_000n) / 1_000, times }]),
      );
    },
  };
}

/** The current time on the clock of `Arrival.at`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
