import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknown, isStalePlan, sqlState } from './errors.ts';
import { queryable, type RowChecks } from './session/rows.ts';
import {
  begin,
  beginsPlainly,
  type Client,
  canPipeline,
  command,
  execute,
  isBroken,
  markBroken,
} from './session/session.ts';
import type { Sql, Tx } from './types.ts';

const RETRIES = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** The error of every statement after the one that failed. */
const TRANSACTION_ABORTED = '25P02';

/** One attempt: begin, work, commit; or roll back and throw. The caller releases the client. */
export async function transact<T>(
  client: Client,
  work: (tx: Tx) => Promise<T>,
  checks: RowChecks,
  timeoutMs: number | undefined,
): Promise<T> {
  const session = openTx(client, checks, timeoutMs);
  let result: T;
  try {
    result = await work(session.tx);
  } catch (error) {
    // A failed rollback must not replace the first error: the client is destroyed instead.
    if (!isBroken(client)) await session.end('rollback')?.catch(() => markBroken(client));
    throw sqlState(error) === TRANSACTION_ABORTED ? (session.firstError() ?? error) : error;
  }
  const tag = await session.end('commit')?.catch((error: unknown) => {
    throw isBroken(client) ? new CommitUnknown({ cause: error }) : error;
  });
  // When a statement failed, PostgreSQL answers COMMIT with the tag ROLLBACK and no error.
  assert(tag !== 'ROLLBACK', 'nothing was committed: the work caught the error of a statement');
  return result;
}

/** Repeats `attempt`, at most five times, when the database asks for that. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const state = sqlState(error);
      const conflict =
        state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED || isStalePlan(error);
      if (!conflict || retry === RETRIES) throw error;
      // Jitter, so that the two sides of a deadlock do not collide again.
      await sleep(Math.random() * 10 * 2 ** retry);
    }
  }
}

function openTx(client: Client, checks: RowChecks, timeoutMs: number | undefined) {
  const line = lineOf(client);
  let running = true;
  let begun: Promise<void> | undefined;
  let failed: { readonly error: unknown } | undefined;
  const send = async (statement: Sql) => {
    assert(running, `the transaction is over: ${statement.text}`);
    try {
      return await line(() => execute(client, statement, timeoutMs));
    } catch (error) {
      failed ??= { error };
      throw error;
    }
  };
  const inside = async (statement: Sql) => {
    assert(running, `the transaction is over: ${statement.text}`);
    begun ??= line(() => begin(client, timeoutMs));
    // BEGIN and the statement leave together. A plain BEGIN fails only if the connection does, and
    // then the statement fails too.
    const [, answer] = await Promise.all([begun, send(statement)]);
    return answer;
  };
  // Behind a pooler, and with a timeout of its own, the limits apply from BEGIN on: begin first.
  const alone = timeoutMs === undefined && beginsPlainly(client) ? send : inside;
  const tx: Tx = {
    inTransaction: true,
    ...queryable(inside, checks),
    alone: queryable(alone, checks),
  };
  return {
    tx,
    /**
     * Why the transaction is aborted. When several statements are in flight, the caller may see the
     * error of a later one first, which says only that an earlier one failed.
     */
    firstError: () => failed?.error,
    /** Returns the command's tag, or undefined when no statement has begun the transaction. */
    end(text: 'commit' | 'rollback'): Promise<string> | undefined {
      running = false;
      return begun && line(() => command(client, text));
    },
  };
}

type Line = <T>(send: () => Promise<T>) => Promise<T>;

/**
 * Keeps the statements of one transaction in the order in which they were asked for. A connection in
 * pipeline mode gets each at once and answers in order; any other gets one after the last answered.
 */
function lineOf(client: Client): Line {
  if (canPipeline(client)) return (send) => send();
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const turn = last.then(send);
    last = turn.catch(() => undefined);
    return turn;
  };
}
