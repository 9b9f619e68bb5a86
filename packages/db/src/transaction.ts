import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknown, isStalePlan, sqlState } from './errors.ts';
import { queryable } from './session/rows.ts';
import {
  begin,
  beginsPlainly,
  type Client,
  command,
  execute,
  isBroken,
  markBroken,
} from './session/session.ts';
import type { Sql, Tx } from './types.ts';

const RETRIES = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** One attempt: begin, work, commit, or roll back and throw. The caller gives the client back. */
export async function transact<T>(
  client: Client,
  work: (tx: Tx) => Promise<T>,
  timeoutMs: number | undefined,
): Promise<T> {
  const session = openTx(client, timeoutMs);
  let result: T;
  try {
    result = await work(session.tx);
  } catch (error) {
    if (session.end()) await rollBack(client);
    throw error;
  }
  if (session.end()) await commit(client);
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

function openTx(client: Client, timeoutMs: number | undefined): { tx: Tx; end(): boolean } {
  let running = true;
  let begun: Promise<void> | undefined;
  const send = (statement: Sql) => {
    assert(running, `the transaction is over: ${statement.text}`);
    return execute(client, statement, timeoutMs);
  };
  const inside = async (statement: Sql) => {
    assert(running, `the transaction is over: ${statement.text}`);
    begun ??= begin(client, timeoutMs);
    await begun;
    return send(statement);
  };
  // A pooler's connection has its limits, and any its longer ones, from BEGIN on only.
  const alone = timeoutMs === undefined && beginsPlainly(client) ? send : inside;
  return {
    tx: { inTransaction: true, ...queryable(inside), alone: queryable(alone) },
    /** Answers whether anything has begun. */
    end() {
      running = false;
      return begun !== undefined;
    },
  };
}

async function commit(client: Client): Promise<void> {
  const tag = await command(client, 'commit').catch((error: unknown) => {
    throw isBroken(client) ? new CommitUnknown({ cause: error }) : error;
  });
  // PostgreSQL answers ROLLBACK, without an error, when a statement inside had failed.
  assert(tag === 'COMMIT', 'nothing was committed: the work hid the error of a statement');
}

/** Throws nothing, so that the first error stays; a client that cannot roll back is destroyed. */
async function rollBack(client: Client): Promise<void> {
  if (isBroken(client)) return;
  await command(client, 'rollback').catch(() => markBroken(client));
}
