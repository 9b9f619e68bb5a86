import { randomUUID } from 'node:crypto';
import { concurrency, type Peer, type PeerContext } from './peer.ts';

/** The loop of the ratios as a peer, for its latency, CPU and memory. It stores nothing. */
export async function open({ deliver }: PeerContext): Promise<Peer> {
  const running = new Set<Promise<void>>();
  return {
    pids: [],
    queues: false,
    async publish(path) {
      while (running.size >= concurrency) await Promise.race(running);
      const id = randomUUID();
      const sent = deliver(id, path).finally(() => running.delete(sent));
      running.add(sent);
      return id;
    },
  };
}
