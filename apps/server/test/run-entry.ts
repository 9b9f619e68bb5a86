import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sourceArgs } from '@svc/db/testing';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Entry {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly output: () => { stdout: string; stderr: string };
  /** Resolves once its standard output contains `text`; rejects if the process ends first. */
  until(text: string): Promise<void>;
  /** Sends the signal, if any, and waits until the process has ended. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Runs `start`, `serve` or `cli` in its own process: of this checkout, or of the one at `checkout`. */
export function runEntry(
  name: 'start' | 'serve' | 'cli',
  {
    settings = {},
    args = [],
    checkout,
  }: { settings?: Record<string, string>; args?: string[]; checkout?: string | undefined } = {},
): Entry {
  const source = new URL(`../src/${name}.ts`, import.meta.url);
  const embedded = settings.DATABASE_URL === undefined;
  const node =
    checkout === undefined
      ? sourceArgs(source, { embedded })
      : ['--conditions=source', '--import', 'tsx', `${checkout}/apps/server/src/${name}.ts`];
  const child = spawn(process.execPath, [...node, ...args], {
    cwd: checkout ?? root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DEMO_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (data) => {
      written[stream] += data;
      for (const listener of listeners) listener();
    });
  }
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    output: () => ({ ...written }),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (written.stdout.includes(text)) resolve();
        };
        listeners.add(look);
        look();
        void ended.then(([code]) =>
          reject(new Error(`${name} ended with ${code}: ${written.stderr}`)),
        );
      }),
    async end(signal) {
      if (signal) child.kill(signal);
      const [code] = await ended;
      return { code, ...written };
    },
  };
}
