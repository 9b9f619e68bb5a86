import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { runNode } from '../../scripts/steps/run-command.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface RunningService {
  readonly origin: string;
  /** Runs the operator's `svc`, and resolves with what it printed. */
  operate(args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Builds the service and runs it as its operator does, with its own database in `dataDir`. */
export async function startBuiltService(dataDir: string): Promise<RunningService> {
  // Packs the tarballs too, if they are out of date.
  const { code, output } = await runNode(['scripts/build.mjs'], { quiet: true });
  if (code !== 0) throw new Error(output);
  const port = String(await freePort());
  const env = {
    ...environment(),
    PORT: port,
    SVC_DATA_DIR: dataDir,
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_LOG_LEVEL: 'warn',
  };
  const child: ChildProcess = spawn(process.execPath, ['apps/server/dist/serve.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout?.on('data', (data) => {
    printed += data;
  });
  await vi.waitFor(() => expect(printed).toContain('answers'), { timeout: 300_000, interval: 100 });
  return {
    origin: `http://localhost:${port}`,
    operate: async (args) => {
      const command = ['apps/server/dist/cli.js', ...args];
      return (await run(process.execPath, command, { cwd: root, env })).stdout;
    },
    stop: async () => {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    },
  };
}

/** The environment of a developer's terminal: nothing of this test run. */
export function environment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp', ...others } = process.env;
  // The settings with which this machine reaches the registries of npm and Python.
  const network = Object.entries(others).filter(([name]) =>
    /^(SSL_|NODE_EXTRA_CA|PIP_|REQUESTS_CA|https?_proxy|no_proxy)/i.test(name),
  );
  return { PATH, HOME, TMPDIR, ...(Object.fromEntries(network) as Record<string, string>) };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
