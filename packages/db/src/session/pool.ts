import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { ConnectionFailed, DatabaseLost, NestedDatabaseUse } from '../errors.ts';
import { retryConflicts, transact } from '../transaction.ts';
import type { Database, DatabaseObserver, Tx } from '../types.ts';
import { typeParsers } from './parsers.ts';
import { queryable, type RowChecks } from './rows.ts';
import { type Client, execute, isBroken, isTimeout, observeStatements } from './session.ts';

export interface PoolSettings {
  readonly connection: pg.PoolConfig;
  /** Called once for each new connection, before its first use. */
  readonly prepare: (client: Client) => Promise<unknown>;
  /** Refuse `db` inside a transaction at once; a session of one would wait for itself. */
  readonly refuseNesting: boolean;
  readonly rowChecks: RowChecks;
  /** A connection broke. A statement that was running on it fails with an error of its own. */
  readonly connectionError: (error: Error) => void;
  readonly observer: DatabaseObserver | undefined;
  /** A statement did not end in time. */
  readonly stuck?: () => void;
}

export interface Pool extends Pick<Database, 'many' | 'one' | 'maybe' | 'run' | 'transaction'> {
  /** From now on everything fails with DatabaseLost. */
  fail(cause: Error): void;
  end(): Promise<void>;
}

/** Statements and transactions over a node-postgres pool, never by `pool.query`. */
export function openPool(settings: PoolSettings): Pool {
  const pool = new pg.Pool({
    ...settings.connection,
    types: typeParsers,
    keepAlive: true,
    onConnect: async (client) => {
      // A borrowed client has no listener of the pool; without one, losing it ends the process.
      client.on('error', settings.connectionError);
      const ended = settings.observer?.statementEnded;
      if (ended) observeStatements(client as Client, ended);
      await settings.prepare(client as Client);
    },
  });
  // Without a listener this ends the process; each client reports the same error below.
  pool.on('error', () => undefined);
  settings.observer?.poolOpened?.(() => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  const inside = settings.refuseNesting ? new AsyncLocalStorage<{ open: boolean }>() : undefined;
  let lost: Error | undefined;

  async function connect(): Promise<Client> {
    const began = performance.now();
    try {
      const client = await pool.connect();
      settings.observer?.connected?.((performance.now() - began) / 1_000);
      return client;
    } catch (cause) {
      const error = new ConnectionFailed(cause);
      settings.observer?.failed(error);
      throw error;
    }
  }

  async function borrow<T>(use: (client: Client) => Promise<T>): Promise<T> {
    if (inside?.getStore()?.open) throw new NestedDatabaseUse();
    if (lost) throw lost;
    const client = await connect();
    try {
      const result = await use(client);
      settings.observer?.succeeded();
      return result;
    } catch (error) {
      if (isTimeout(error)) settings.stuck?.();
      settings.observer?.failed(error);
      throw error;
    } finally {
      client.release(isBroken(client) || lost !== undefined);
    }
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>, timeoutMs?: number): Promise<T> {
    return borrow(async (client) => {
      if (!inside) return transact(client, work, settings.rowChecks, timeoutMs);
      const scope = { open: true };
      try {
        return await transact(
          client,
          (tx) => inside.run(scope, () => work(tx)),
          settings.rowChecks,
          timeoutMs,
        );
      } finally {
        scope.open = false;
      }
    });
  }

  return {
    ...queryable(
      (statement) =>
        retryConflicts(() => borrow((client) => execute(client, statement, undefined))),
      settings.rowChecks,
    ),
    transaction: (work, options) => retryConflicts(() => attempt(work, options?.timeoutMs)),
    fail: (cause) => {
      lost ??= new DatabaseLost('The embedded database stopped: restart the process.', { cause });
    },
    end: () => pool.end(),
  };
}
