import { createHash } from 'node:crypto';

/** Whole numbers from 0 to below `limit`, the same ones for the same seed. */
export type Random = (limit: number) => number;

/** mulberry32 by Tommy Ettinger: good enough for choices, and repeatable. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** The body of a message follows from its id, so that a receiver can check it. */
export function bodyOf(messageId: string): string {
  const digest = createHash('sha256').update(messageId).digest('hex');
  const length = Number.parseInt(digest.slice(0, 3), 16);
  return JSON.stringify({ id: messageId, digest, text: 'für 1 € 🏠 '.repeat(length % 100) });
}
