import { execFile } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  findPlace,
  initialize,
  type Place,
  type RunningServer,
  runServer,
  stopServer,
} from './start-postgres.ts';

/** One server of a cluster, on a loopback port. It ends with this process. */
export interface CitusServer {
  /** The URL of the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Starts the server again with the same port and data. */
  start(): Promise<void>;
  /** Stops the server: SIGKILL for a crash, SIGINT to end every session. */
  stop(how: NodeJS.Signals): Promise<void>;
  /** Suspends all its processes (SIGSTOP): connections stay open, and nothing answers. */
  freeze(): Promise<void>;
  /** Lets frozen processes continue. */
  thaw(): Promise<void>;
  /** Runs a statement with psql, and returns its rows without headings. */
  query(text: string, database?: string): Promise<string>;
  /** Copies the running server and streams its log to the copy. From then on, each commit waits for the copy. */
  addStandby(): Promise<CitusServer>;
  /** Makes a standby accept writes. */
  promote(): Promise<void>;
  /** Copies the running server, which must have been started with `archives`. */
  backUp(): Promise<Backup>;
  /** Resolves once all that was written so far is in the archive. */
  archive(): Promise<void>;
}

export interface Backup {
  /** Starts the copy on the port of the lost server, and recovers the log up to a restore point. */
  restore(point: string): Promise<CitusServer>;
}

interface Options {
  readonly durable?: boolean;
  /** Keep every segment of the log. Needed to restore a backup. */
  readonly archives?: boolean;
}

/** Starts a PostgreSQL with Citus and an empty data folder. */
export async function startCitusServer(bin: string, options: Options = {}): Promise<CitusServer> {
  const place = await findPlace(bin);
  await initialize(place);
  return serverAt(place, { ...options, port: await freePort() });
}

interface ServerOptions extends Options {
  readonly port: number;
  readonly extra?: readonly string[];
}

async function serverAt(place: Place, server: ServerOptions): Promise<CitusServer> {
  const { durable = false, archives = false, port, extra = [] } = server;
  const archiveFolder = join(place.folder, 'archive');
  // A segment gets its name only when its copy is complete, so a copy that a crash interrupts is made again.
  const archiving = [
    'archive_mode=on',
    `archive_command=mkdir -p ${archiveFolder} && cp %p ${archiveFolder}/%f.part && mv ${archiveFolder}/%f.part ${archiveFolder}/%f`,
  ];
  const own = [...settings, `port=${port}`, ...(archives ? archiving : []), ...extra];
  let running: RunningServer;

  const start = async () => {
    running = await runServer(place, durable, own);
  };
  const program = async (name: string, args: readonly string[]) => {
    const options = { ...place.identity, cwd: '/', env: {} };
    return (await promisify(execFile)(join(place.bin, name), args, options)).stdout;
  };
  const query = async (text: string, database = 'postgres') => {
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database];
    return (await program('psql', [...from, '-qAtc', text])).trim();
  };
  const signalAll = async (signal: NodeJS.Signals) => {
    const pid = running.pid ?? 0;
    // The first process starts the others, so it stops first.
    process.kill(pid, signal);
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]);
    for (const child of stdout.trim().split(/\s+/)) {
      try {
        process.kill(Number(child), signal);
      } catch (error) {
        // It has ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  const copyTo = async (copy: Place, more: readonly string[], application: string) => {
    const source = `host=127.0.0.1 port=${port} user=postgres application_name=${application}`;
    const target = ['-D', join(copy.folder, 'data'), '-X', 'stream', '--checkpoint=fast'];
    await program('pg_basebackup', ['-d', source, ...target, ...more]);
  };

  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop: (how) => stopServer(running, how),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    query,
    async addStandby() {
      const copy = await findPlace(place.bin);
      await copyTo(copy, ['-R', '-C', '-S', 'standby'], 'standby');
      // While the standby does not follow, commits wait. By default it would try again only after 5 s.
      const extra = ['wal_retrieve_retry_interval=500ms'];
      const standby = await serverAt(copy, { durable, archives, port: await freePort(), extra });
      await query("alter system set synchronous_standby_names = 'standby'");
      await query('select pg_reload_conf()');
      return standby;
    },
    async promote() {
      await query('select pg_promote()');
    },
    async backUp() {
      const copy = await findPlace(place.bin);
      await copyTo(copy, [], 'backup');
      return {
        async restore(point) {
          await writeFile(join(copy.folder, 'data', 'recovery.signal'), '');
          const recovery = [
            `restore_command=cp ${archiveFolder}/%f %p`,
            `recovery_target_name=${point}`,
            'recovery_target_action=promote',
            // The standby is lost, too, and every commit would wait for it.
            'synchronous_standby_names=',
          ];
          const restored = await serverAt(copy, { durable, port, extra: recovery });
          while ((await restored.query('select pg_is_in_recovery()')) === 't') await sleep(100);
          return restored;
        },
      };
    },
    async archive() {
      const segment = await query('select pg_walfile_name(pg_switch_wal())');
      const isArchived = () =>
        access(join(archiveFolder, segment)).then(
          () => true,
          () => false,
        );
      while (!(await isArchived())) await sleep(100);
    },
  };
}

const settings = [
  'listen_addresses=127.0.0.1',
  'shared_preload_libraries=citus',
  // Citus gives the error of a distributed deadlock its SQLSTATE when it logs it. Otherwise the transaction is not
  // retried.
  'log_min_messages=error',
  'wal_level=logical',
  'max_connections=300',
  'max_prepared_transactions=300',
  // Citus starts a worker process for each database.
  'max_worker_processes=64',
  'citus.shard_count=8',
  'citus.enable_statistics_collection=off',
  'citus.enable_stat_counters=on',
];

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
