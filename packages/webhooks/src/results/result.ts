import type { Claimed } from '../leases/claimed.ts';
import type { Exchange } from '../messages/attempt-detail.ts';

/** One finished attempt, to be written down. */
export interface Result extends Exchange {
  readonly claimed: Claimed;
}
