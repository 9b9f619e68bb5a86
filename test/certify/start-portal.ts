import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Mutation } from './mutations.ts';

const run = promisify(execFile);
// Inside the repository, where the portal in JavaScript finds @svc/node.
const folder = fileURLToPath(new URL('../../.cache/certify', import.meta.url));

export interface PortalSettings {
  readonly service: string;
  readonly apiKey: string;
  readonly pms: string;
  readonly secret: string;
  readonly port: number;
}

export interface RunningPortal {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a portal of `portals/`, with the mistake of `replace` if there is one. */
export async function startPortal(
  { portal, replace }: Pick<Mutation, 'portal' | 'replace'>,
  { service, apiKey, pms, secret, port }: PortalSettings,
): Promise<RunningPortal> {
  const file = join(folder, String(port), portal);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await sourceOf(portal, replace));
  const [program = '', ...args] = await commandOf(file);
  const child = spawn(program, args, {
    env: {
      ...process.env,
      SVC_URL: service,
      SVC_API_KEY: apiKey,
      SVC_PMS: pms,
      SVC_WEBHOOK_SECRET: secret,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilItListens(child, portal);
  return {
    url: `http://localhost:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
      await rm(dirname(file), { recursive: true, force: true });
    },
  };
}

async function sourceOf(portal: string, replace: Mutation['replace']): Promise<string> {
  let source = await readFile(new URL(`portals/${portal}`, import.meta.url), 'utf8');
  for (const [correct, broken] of replace) {
    if (source.split(correct).length !== 2) {
      throw new Error(`${portal} does not have this text exactly once: ${correct}`);
    }
    source = source.replace(correct, () => broken);
  }
  return source;
}

async function commandOf(file: string): Promise<string[]> {
  switch (extname(file)) {
    case '.mjs':
      return [process.execPath, file];
    case '.py':
      return ['python3', file];
    default: {
      const program = file.slice(0, -extname(file).length);
      // Go reads from go.mod by which version's rules the program is built.
      await writeFile(join(dirname(file), 'go.mod'), 'module portal\n\ngo 1.22\n');
      await run('go', ['build', '-o', program, '.'], { cwd: dirname(file) });
      return [program];
    }
  }
}

async function untilItListens(child: ChildProcess, portal: string): Promise<void> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${portal} ended with ${code} before it listened.`);
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => {});
}
