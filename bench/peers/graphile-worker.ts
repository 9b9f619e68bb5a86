import type { Peer } from './peer.ts';

interface Utils {
  addJobs(jobs: readonly { identifier: string; payload: unknown }[]): Promise<unknown>;
  release(): Promise<void>;
}

interface Library {
  run(options: object): Promise<{ stop(): Promise<void> }>;
  makeWorkerUtils(options: object): Promise<Utils>;
  Logger: new (make: () => () => void) => object;
}

/** Configured with the local queue and batched completion that its performance guide recommends. */
export async function openGraphileWorker(url: string, concurrency: number): Promise<Peer> {
  const { run, makeWorkerUtils, Logger } = (await import('graphile-worker' as string)) as Library;
  let job: () => Promise<void> = async () => {};
  const runner = await run({
    preset: {
      worker: {
        connectionString: url,
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        localQueue: { size: 5 * concurrency },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { deliver: () => job() },
  });
  const utils = await makeWorkerUtils({ connectionString: url });
  return {
    name: 'graphile-worker',
    handle(work) {
      job = work;
    },
    async add(bodies) {
      await utils.addJobs(bodies.map((body) => ({ identifier: 'deliver', payload: { body } })));
    },
    async close() {
      await runner.stop();
      await utils.release();
    },
  };
}
