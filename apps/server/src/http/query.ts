import type { Database, Tx } from '@svc/db';

/** Runs each statement of a reading verb separately, so that it occupies no connection in between. */
export function readingTx({ cluster, many, one, maybe, run }: Database): Tx {
  const each = { cluster, many, one, maybe, run };
  const send = () => {
    throw new Error('A verb that reads writes nothing.');
  };
  return { inTransaction: true, ...each, alone: each, send };
}
