import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknown, isStalePlan, sqlState } from './errors.ts';
import { queryable, type RowChecks } from './session/rows.ts';
import {
  begin,
  beginsPlainly,
  type Client,
  command,
  execute,
  gather,
  isBroken,
  markBroken,
  takesMany,
} from './session/session.ts';
import type { Sql, Tx } from './types.ts';

const RETRIES = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** What each statement after a failed one is answered. */
const TRANSACTION_ABORTED = '25P02';

/** One attempt: begin, work, commit, or roll back and throw. The caller gives the client back. */
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
    // So that the first error stays, its own is not thrown: the client is destroyed instead.
    if (!isBroken(client)) await session.end('rollback')?.catch(() => markBroken(client));
    throw sqlState(error) === TRANSACTION_ABORTED ? (session.firstError() ?? error) : error;
  }
  const tag = await session.end('commit')?.catch((error: unknown) => {
    throw isBroken(client) ? new CommitUnknown({ cause: error }) : error;
  });
  // PostgreSQL answers ROLLBACK, without an error, when a statement inside had failed.
  assert(tag !== 'ROLLBACK', 'nothing was committed: the work hid the error of a statement');
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
      // Jitter, so that two sides of a deadlock do not meet again.
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
    // A plain BEGIN fails with its connection only, and then so does what is sent behind it.
    const [, answer] = await Promise.all([begun, send(statement)]);
    return answer;
  };
  // A pooler's connection has its limits, and any its longer ones, from BEGIN on only.
  const alone = timeoutMs === undefined && beginsPlainly(client) ? send : inside;
  const tx: Tx = {
    inTransaction: true,
    ...queryable(inside, checks),
    alone: queryable(alone, checks),
  };
  return {
    tx,
    /**
     * Why the transaction is aborted. Of statements sent together, the caller may see the error of a
     * later one first, which says only that an earlier one failed.
     */
    firstError: () => failed?.error,
    /** Answers the command's tag; undefined when nothing has begun. */
    end(text: 'commit' | 'rollback'): Promise<string> | undefined {
      running = false;
      return begun && line(() => command(client, text));
    },
  };
}

type Line = <T>(send: () => Promise<T>) => Promise<T>;

/** In the order of asking: behind each other at once where the connection takes that, else in turn. */
function lineOf(client: Client): Line {
  if (takesMany(client)) {
    return (send) => {
      gather(client);
      return send();
    };
  }
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const turn = last.then(send);
    last = turn.catch(() => undefined);
    return turn;
  };
}
