import { createServer } from 'node:net';
import {
  findPlace,
  initialize,
  type RunningServer,
  runServer,
  stopServer,
} from './start-postgres.ts';

/** The programs of a PostgreSQL in which Citus is installed, from `SVC_TEST_CITUS_BIN`. */
export function findCitus(): string | undefined {
  // An empty variable is one that is not set.
  return process.env.SVC_TEST_CITUS_BIN || undefined;
}

export interface TestCluster {
  /** The URLs of the database `postgres` of each server; the coordinator is the first. */
  readonly urls: readonly string[];
  /** SIGKILL of a server, by its index in `urls`. */
  kill(index: number): Promise<void>;
  /** Starts a killed server again. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a coordinator and two workers with empty data folders on loopback ports. They end with this process. */
export async function startCitus(bin: string, { durable = false } = {}): Promise<TestCluster> {
  const servers: {
    url: string;
    start(): Promise<void>;
    stop(how: NodeJS.Signals): Promise<void>;
  }[] = [];
  for (let index = 0; index < 3; index += 1) {
    const place = await findPlace(bin);
    await initialize(place);
    const port = await freePort();
    let running: RunningServer | undefined;
    const server = {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      async start() {
        running = await runServer(place, durable, [...settings, `port=${port}`]);
      },
      async stop(how: NodeJS.Signals) {
        if (running) await stopServer(running, how);
      },
    };
    await server.start();
    servers.push(server);
  }
  return {
    urls: servers.map(({ url }) => url),
    kill: async (index) => servers[index]?.stop('SIGKILL'),
    restart: async (index) => servers[index]?.start(),
    async stop() {
      // Connections between the servers would keep a patient shutdown waiting.
      for (const server of servers) await server.stop('SIGINT');
    },
  };
}

const settings = [
  'listen_addresses=127.0.0.1',
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=300',
  'max_prepared_transactions=300',
  // Citus starts one for each database.
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
