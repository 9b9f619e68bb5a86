import { randomUUID } from 'node:crypto';
import { body, concurrency, type Path, type Peer, type PeerContext } from './peer.ts';

interface Utils {
  addJob(identifier: string, payload: unknown): Promise<unknown>;
}

interface Library {
  run(options: object): Promise<unknown>;
  makeWorkerUtils(options: object): Promise<Utils>;
  Logger: new (make: () => () => void) => object;
}

/** Configured with the local queue and batched completion that its performance guide recommends. */
export async function open({ databaseUrl, deliver }: PeerContext): Promise<Peer> {
  const { run, makeWorkerUtils, Logger } = (await import('graphile-worker' as string)) as Library;
  await run({
    preset: {
      worker: {
        connectionString: databaseUrl,
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        localQueue: { size: 5 * concurrency },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      deliver: (job: unknown) => {
        const { id, path } = job as { id: string; path: Path };
        return deliver(id, path);
      },
    },
  });
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  return {
    pids: [],
    async publish(path) {
      const id = randomUUID();
      await utils.addJob('deliver', { id, path, body });
      return id;
    },
  };
}
