import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknown, isStalePlan, sqlState } from './errors.ts';
import { createQueryable, type StatementSettings, sendable } from './session/rows.ts';
import {
  begin,
  beginsPlainly,
  type Client,
  canPipeline,
  execute,
  isBroken,
  markBroken,
  runCommand,
  sendTogether,
} from './session/session.ts';
import type { Sql, Tx } from './types.ts';

const RETRIES = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** The SQLSTATE of every statement after one has failed. */
const TRANSACTION_ABORTED = '25P02';

/** Runs one attempt: begin, work, commit; on an error rolls back and throws. The caller releases the client. */
export async function transact<T>(
  client: Client,
  work: (tx: Tx) => Promise<T>,
  settings: StatementSettings,
  timeoutMs: number | undefined,
): Promise<T> {
  const session = openTx(client, settings, timeoutMs);
  let result: T;
  try {
    result = await work(session.tx);
    // This includes the error of a statement that was only sent, and an error that the work caught.
    const failed = session.firstError();
    if (failed !== undefined) throw failed;
  } catch (error) {
    // A failed rollback must not hide the first error. The client is destroyed instead.
    if (!isBroken(client)) await session.end('rollback')?.catch(() => markBroken(client));
    throw sqlState(error) === TRANSACTION_ABORTED ? (session.firstError() ?? error) : error;
  }
  const tag = await session.end('commit')?.catch((error: unknown) => {
    throw isBroken(client) ? new CommitUnknown({ cause: error }) : error;
  });
  // After a failed statement, PostgreSQL answers COMMIT with the tag ROLLBACK and without an error.
  if (tag === 'ROLLBACK') throw session.firstError() ?? new Error('the work rolled back');
  return result;
}

/** Repeats `attempt` up to five times after a serialization failure, a deadlock or a stale plan. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const state = sqlState(error);
      const conflict =
        state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED || isStalePlan(error);
      if (!conflict || retry === RETRIES) throw error;
      // The pause has jitter, so that the two sides of a deadlock do not collide again.
      await sleep(Math.random() * 10 * 2 ** retry);
    }
  }
}

function openTx(client: Client, settings: StatementSettings, timeoutMs: number | undefined) {
  const queue = queueOf(client);
  let running = true;
  let begun: Promise<void> | undefined;
  let firstError: unknown;
  const requireRunning = ({ text }: Sql) => assert(running, `the transaction is over: ${text}`);
  const send = async (statement: Sql) => {
    requireRunning(statement);
    const isInside = begun !== undefined;
    try {
      return await queue(() => execute(client, statement, timeoutMs));
    } catch (error) {
      if (isInside) firstError ??= error;
      throw error;
    }
  };
  const sendInTransaction = async (statement: Sql) => {
    requireRunning(statement);
    sendTogether(client);
    begun ??= queue(() => begin(client, timeoutMs));
    // BEGIN and the statement leave together. A plain BEGIN fails only if the connection does, and
    // then the statement fails too.
    const [, answer] = await Promise.all([begun, send(statement)]);
    return answer;
  };
  // Behind a pooler, or with `timeoutMs`, BEGIN carries the limits, so every statement needs it.
  const alone = timeoutMs === undefined && beginsPlainly(client) ? send : sendInTransaction;
  const tx: Tx = {
    inTransaction: true,
    ...createQueryable(sendInTransaction, settings),
    alone: createQueryable(alone, settings),
    send(statement) {
      // Thrown here, because no error of the promise reaches the caller.
      requireRunning(statement);
      sendInTransaction(sendable(statement, settings)).catch(() => undefined);
    },
  };
  return {
    tx,
    /**
     * The error that aborted the transaction. With several statements in flight, the caller may see
     * the error of a later one first, which says only that the transaction is aborted.
     */
    firstError: () => firstError,
    /** Returns the command's tag, or undefined if no statement has begun the transaction. */
    end(text: 'commit' | 'rollback'): Promise<string> | undefined {
      running = false;
      return begun && queue(() => runCommand(client, text));
    },
  };
}

type Queue = <T>(send: () => Promise<T>) => Promise<T>;

/**
 * Runs the statements of one transaction in the order of the calls. A connection in pipeline mode gets
 * each at once and answers in order. Any other connection gets one after the last was answered.
 */
function queueOf(client: Client): Queue {
  if (canPipeline(client)) return (send) => send();
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const turn = last.then(send);
    last = turn.catch(() => undefined);
    return turn;
  };
}
