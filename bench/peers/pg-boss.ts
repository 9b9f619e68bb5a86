import { randomUUID } from 'node:crypto';
import { body, concurrency, type Path, type Peer, type PeerContext } from './peer.ts';

interface Job {
  readonly data: { readonly id: string; readonly path: Path };
}

interface Boss {
  start(): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  send(name: string, data: unknown): Promise<unknown>;
  work(name: string, options: object, run: (jobs: Job[]) => Promise<void>): Promise<unknown>;
}

/** Polls every half second, the shortest interval that pg-boss allows, for batches of `concurrency` jobs. */
export async function open({ databaseUrl, deliver }: PeerContext): Promise<Peer> {
  const library = (await import('pg-boss' as string)) as {
    default: new (options: object) => Boss;
  };
  const boss = new library.default({ connectionString: databaseUrl, max: 10 });
  await boss.start();
  await boss.createQueue('deliver');
  const options = { batchSize: concurrency, pollingIntervalSeconds: 0.5 };
  await boss.work('deliver', options, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => deliver(data.id, data.path)));
  });
  return {
    pids: [],
    async publish(path) {
      const id = randomUUID();
      await boss.send('deliver', { id, path, body });
      return id;
    },
  };
}
