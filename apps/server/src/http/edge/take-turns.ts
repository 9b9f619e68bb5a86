import type { Clock } from '@svc/runtime';
import { FairQueue } from './fair-queue.ts';

/** Resolves when it is the caller's turn to use the thread, until its next wait for I/O. */
export type TakeTurn = (caller: string) => Promise<void>;

/**
 * Reading and checking a body takes up to 5 ms of the only thread, and one caller may send a hundred at
 * once. Callers take turns, and one body is read in each round of the event loop, so between two of them
 * the service continues with everything else. Without it, 100 refused calls with 900 fields each kept other
 * partners' calls waiting for 0.6 s.
 */
export function createTurns(clock: Clock): TakeTurn {
  const queue = new FairQueue({ clock, atOnce: 1, perCaller: 1 });
  const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));
  return (caller) =>
    new Promise((resolve, reject) => {
      queue
        .run(caller, () => {
          resolve();
          return nextRound();
        })
        .catch(reject);
    });
}
