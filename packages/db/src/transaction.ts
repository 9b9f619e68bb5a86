import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknown, isStalePlan, sqlState } from './errors.ts';
import { queryable } from './session/rows.ts';
import { begin, type Client, command, execute, isBroken, markBroken } from './session/session.ts';
import type { Tx } from './types.ts';

const RETRIES = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** One attempt: begin, work, commit, or roll back and throw. The caller gives the client back. */
export async function transact<T>(
  client: Client,
  work: (tx: Tx) => Promise<T>,
  timeoutMs: number | undefined,
): Promise<T> {
  await begin(client, timeoutMs);
  const session = openTx(client, timeoutMs);
  let result: T;
  try {
    result = await work(session.tx);
  } catch (error) {
    session.end();
    await rollBack(client);
    throw error;
  }
  session.end();
  await commit(client);
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

function openTx(client: Client, timeoutMs: number | undefined): { tx: Tx; end: () => void } {
  let running = true;
  const statements = queryable(async (statement) => {
    assert(running, `the transaction is over: ${statement.text}`);
    return execute(client, statement, timeoutMs);
  });
  return {
    tx: { inTransaction: true, ...statements },
    end: () => {
      running = false;
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
