import type { Database, Tx } from '@svc/db';

/** Runs each statement of a reading verb separately, so that it occupies no connection in between. */
export function readingTx({ isDistributed, many, one, maybe, run }: Database): Tx {
  const each = { isDistributed, many, one, maybe, run };
  return { inTransaction: true, ...each, alone: each };
}
