import { type CitusServer, startCitusServer } from './start-citus-server.ts';

/**
 * Returns the folder with the programs of a PostgreSQL in which Citus is installed: `SVC_TEST_CITUS_BIN`. Undefined
 * if it is not set.
 */
export function findCitus(): string | undefined {
  // An empty variable counts as not set.
  return process.env.SVC_TEST_CITUS_BIN || undefined;
}

export interface TestCluster {
  /** The URLs of the database `postgres` of each server; the coordinator is the first. */
  readonly urls: readonly string[];
  /** Kills a server with SIGKILL, by its index in `urls`. */
  kill(index: number): Promise<void>;
  /** Starts a killed server again. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a coordinator and workers with empty data folders on loopback ports. They end with this process. */
export async function startCitus(
  bin: string,
  { durable = false, workers = 2 } = {},
): Promise<TestCluster> {
  const servers: CitusServer[] = [];
  for (let index = 0; index <= workers; index += 1) {
    servers.push(await startCitusServer(bin, { durable }));
  }
  return {
    urls: servers.map(({ url }) => url),
    kill: async (index) => servers[index]?.stop('SIGKILL'),
    restart: async (index) => servers[index]?.start(),
    async stop() {
      // A smart shutdown (SIGTERM) would wait for the connections between the servers.
      for (const server of servers) await server.stop('SIGINT');
    },
  };
}
