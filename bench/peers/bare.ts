import { randomUUID } from 'node:crypto';
import { concurrency, type Peer, type PeerContext } from './peer.ts';

/** The loop of the ratios as a peer, for its latency, CPU and memory. It stores nothing. */
export async function open({ deliver }: PeerContext): Promise<Peer> {
  let free = concurrency;
  const waiting: (() => void)[] = [];
  const end = () => {
    free += 1;
    waiting.shift()?.();
  };
  return {
    pids: [],
    queues: false,
    async publish(path) {
      if (free <= 0) await new Promise<void>((resume) => waiting.push(resume));
      free -= 1;
      const id = randomUUID();
      void deliver(id, path).finally(end);
      return id;
    },
  };
}
