import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildNextExample, startNextCommand } from '../../examples/test/build-next-example.ts';
import type { Mutation } from './mutations.ts';

const run = promisify(execFile);
// Inside the repository, where the portal in JavaScript finds @svc/node.
const folder = fileURLToPath(new URL('../../.cache/certify', import.meta.url));

/** A portal of `portals/`. The one of Next.js, a folder, has no mistakes, because each would need a build. */
export type PortalSource =
  | Pick<Mutation, 'portal' | 'replace'>
  | { readonly portal: 'next'; readonly replace: readonly [] };

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

/** Says why a portal cannot run here, or undefined if it can. */
export async function whatIsMissingFor(
  portal: PortalSource['portal'],
): Promise<string | undefined> {
  if (portal === 'next') return (await buildNextExample()).notInstalled;
  if (portal !== 'portal.php') return undefined;
  const hasPhp = await run('php', ['--version']).then(
    () => true,
    () => false,
  );
  return hasPhp ? undefined : 'php is not installed';
}

/** Runs a portal of `portals/`, with the mistake of `replace` if there is one. */
export async function startPortal(
  source: PortalSource,
  { service, apiKey, pms, secret, port }: PortalSettings,
): Promise<RunningPortal> {
  const own = join(folder, String(port));
  const { command, cwd } =
    source.portal === 'next' ? await commandOfNext(port) : await commandOfFile(source, own, port);
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      SVC_URL: service,
      SVC_BASE_URL: `${service}/v1`,
      SVC_API_KEY: apiKey,
      SVC_PMS: pms,
      SVC_WEBHOOK_SECRET: secret,
      PORT: String(port),
      // A certification sends 20 webhooks at once.
      PHP_CLI_SERVER_WORKERS: '8',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // In a separate process group, because `php -S` leaves its workers behind.
    detached: true,
  });
  await untilItListens(child, source.portal);
  return {
    url: `http://localhost:${port}`,
    async stop() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await once(child, 'close');
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function commandOfNext(port: number) {
  const { folder } = await buildNextExample();
  return { command: startNextCommand(port), cwd: folder };
}

async function commandOfFile({ portal, replace }: PortalSource, cwd: string, port: number) {
  const file = join(cwd, portal);
  await mkdir(cwd, { recursive: true });
  await writeFile(file, await sourceOf(portal, replace));
  return { command: await commandOf(file, port), cwd };
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

async function commandOf(file: string, port: number): Promise<string[]> {
  switch (extname(file)) {
    case '.mjs':
      return [process.execPath, file];
    case '.py':
      return ['python3', file];
    case '.php':
      // It says on stderr that it listens.
      return ['sh', '-c', 'exec php -q -S "$0" "$1" 2>&1', `127.0.0.1:${port}`, file];
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
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await new Promise<void>((resolve, reject) => {
    // In the words of our portals, of PHP, and of Next.js.
    lines.on('line', (line) => /listening|started|Ready/.test(line) && resolve());
    child.on('exit', (code) =>
      reject(new Error(`${portal} ended with ${code} before it listened.`)),
    );
  });
}
