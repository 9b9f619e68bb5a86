import type { Database, Tx } from '@svc/db';

/** For reading verbs: each statement by itself, so that no transaction is held for them. */
export function reading({ many, one, maybe, run }: Database): Tx {
  const each = { many, one, maybe, run };
  return { inTransaction: true, ...each, alone: each };
}
