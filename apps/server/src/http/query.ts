import type { Database, Tx } from '@svc/db';

/** Runs each statement of a reading verb on its own, so that no connection is held between them. */
export function reading({ many, one, maybe, run }: Database): Tx {
  const each = { many, one, maybe, run };
  return { inTransaction: true, ...each, alone: each };
}
