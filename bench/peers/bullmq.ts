import { randomUUID } from 'node:crypto';
import { body, concurrency, type Path, type Peer, type PeerContext } from './peer.ts';
import { startRedis } from './start-redis.ts';

interface Job {
  readonly data: { readonly id: string; readonly path: Path };
}

interface Library {
  Queue: new (
    name: string,
    options: object,
  ) => { add(name: string, data: unknown, options: object): Promise<unknown> };
  Worker: new (name: string, job: (job: Job) => Promise<void>, options: object) => object;
}

/** Uses a separate Redis, which syncs its log to disk once a second. */
export async function open({ deliver }: PeerContext): Promise<Peer> {
  const { Queue, Worker } = (await import('bullmq' as string)) as Library;
  const { port, pid } = await startRedis();
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('deliver', { connection });
  new Worker('deliver', ({ data }) => deliver(data.id, data.path), { connection, concurrency });
  return {
    pids: [pid],
    async publish(path) {
      const id = randomUUID();
      const options = { removeOnComplete: true, attempts: 8 };
      await queue.add('deliver', { id, path, body }, options);
      return id;
    },
  };
}
