import type { Peer } from './peer.ts';

interface Queue {
  addBulk(jobs: readonly { name: string; data: unknown; opts: object }[]): Promise<unknown>;
  obliterate(options: { force: boolean }): Promise<void>;
  close(): Promise<void>;
}

interface Library {
  Queue: new (name: string, options: object) => Queue;
  Worker: new (
    name: string,
    job: () => Promise<void>,
    options: object,
  ) => { close(): Promise<void> };
}

/** Uses a running Redis. */
export async function openBullMq(redisUrl: string, concurrency: number): Promise<Peer> {
  const { Queue, Worker } = (await import('bullmq' as string)) as Library;
  const { hostname: host, port } = new URL(redisUrl);
  const connection = { host, port: Number(port || 6379), maxRetriesPerRequest: null };
  let job: () => Promise<void> = async () => {};
  const queue = new Queue('deliver', { connection });
  const worker = new Worker('deliver', () => job(), { connection, concurrency });
  return {
    name: 'BullMQ',
    handle(work) {
      job = work;
    },
    async add(bodies) {
      const opts = { removeOnComplete: true, attempts: 8 };
      await queue.addBulk(bodies.map((body) => ({ name: 'deliver', data: { body }, opts })));
    },
    async close() {
      await worker.close();
      await queue.obliterate({ force: true });
      await queue.close();
    },
  };
}
