import { randomUUID } from 'node:crypto';
import { concurrency, type Peer, type PeerContext } from './peer.ts';

/** The bare loop, the baseline of the ratios, as a peer: for its latency, CPU time and memory. It stores nothing. */
export async function open({ deliver }: PeerContext): Promise<Peer> {
  let freeSlots = concurrency;
  const waiting: (() => void)[] = [];
  const releaseSlot = () => {
    freeSlots += 1;
    waiting.shift()?.();
  };
  return {
    pids: [],
    queues: false,
    async publish(path) {
      if (freeSlots <= 0) await new Promise<void>((resume) => waiting.push(resume));
      freeSlots -= 1;
      const id = randomUUID();
      void deliver(id, path).finally(releaseSlot);
      return id;
    },
  };
}
