import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { ConnectionFailed, DatabaseLost, MigrationFailed, NestedDatabaseUse } from '../errors.ts';
import { retryConflicts, transact } from '../transaction.ts';
import type { Database, DatabaseObserver, Queryable, Tx } from '../types.ts';
import type { Hosts } from './hosts.ts';
import { typeParsers } from './parsers.ts';
import { createQueryable, type StatementSettings } from './rows.ts';
import {
  beginsPlainly,
  type Client,
  execute,
  isBroken,
  isTimeout,
  markBroken,
  observeStatements,
  runCommand,
} from './session.ts';

// node-postgres has no way to switch its own limit off for one statement.
const UNLIMITED_MS = 86_400_000;

export interface PoolSettings {
  readonly connection: pg.PoolConfig;
  /** The servers to choose from, unless `connection` names the only one. */
  readonly hosts?: Hosts;
  /** Called once for each new connection, before its first use. */
  readonly prepare: (client: Client) => Promise<unknown>;
  /** Refuse `db` inside a transaction, where a pool of one session would wait for itself forever. */
  readonly refuseNesting: boolean;
  readonly statements: StatementSettings;
  /** Called when a connection broke. A statement that was running on it fails separately. */
  readonly connectionError: (error: Error) => void;
  readonly observer: DatabaseObserver | undefined;
  /** Called when a statement did not end in time. */
  readonly stuck?: () => void;
}

export interface Pool
  extends Pick<Database, 'many' | 'one' | 'maybe' | 'run' | 'transaction' | 'session'> {
  /** Makes every further call fail with DatabaseLost. */
  fail(cause: Error): void;
  end(): Promise<void>;
}

/** Opens a node-postgres pool for statements and transactions. */
export function openPool(settings: PoolSettings): Pool {
  const { hosts } = settings;
  const pool = new pg.Pool({
    ...settings.connection,
    ...(hosts && { Client: hosts.Client }),
    types: typeParsers,
    keepAlive: true,
    onConnect: async (client) => {
      // The pool removes its listener from a client in use; an unhandled error would end the process.
      client.on('error', settings.connectionError);
      const ended = settings.observer?.statementEnded;
      if (ended) observeStatements(client as Client, ended);
      try {
        await settings.prepare(client as Client);
      } catch (error) {
        throw hosts ? hosts.reject(client, error) : error;
      }
      hosts?.accept(client);
    },
  });
  // An unhandled error would end the process. The listener of each client reports the same error.
  pool.on('error', () => undefined);
  settings.observer?.poolOpened?.(() => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  const transactionScope = settings.refuseNesting
    ? new AsyncLocalStorage<{ open: boolean }>()
    : undefined;
  let lost: Error | undefined;

  async function connect(): Promise<Client> {
    const began = performance.now();
    try {
      const client = await (hosts ? hosts.tryEach(() => pool.connect()) : pool.connect());
      settings.observer?.connected?.((performance.now() - began) / 1_000);
      return client;
    } catch (cause) {
      const error = new ConnectionFailed(cause);
      settings.observer?.failed(error);
      throw error;
    }
  }

  async function borrow<T>(use: (client: Client) => Promise<T>): Promise<T> {
    if (transactionScope?.getStore()?.open) throw new NestedDatabaseUse();
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
      if (!transactionScope) return transact(client, work, settings.statements, timeoutMs);
      const scope = { open: true };
      try {
        return await transact(
          client,
          (tx) => transactionScope.run(scope, () => work(tx)),
          settings.statements,
          timeoutMs,
        );
      } finally {
        scope.open = false;
      }
    });
  }

  return {
    ...createQueryable(
      (statement) =>
        retryConflicts(() => borrow((client) => execute(client, statement, undefined))),
      settings.statements,
    ),
    transaction: (work, options) => retryConflicts(() => attempt(work, options?.timeoutMs)),
    session: (work) => borrow((client) => runSession(client, work, settings.statements)),
    fail: (cause) => {
      lost ??= new DatabaseLost('The embedded database stopped: restart the process.', { cause });
    },
    end: () => pool.end(),
  };
}

async function runSession<T>(
  client: Client,
  work: (session: Queryable) => Promise<T>,
  settings: StatementSettings,
): Promise<T> {
  // Behind a pooler, each statement may reach another server process, so settings and locks would be lost.
  if (!beginsPlainly(client)) {
    throw new MigrationFailed(
      'Migrations need a direct connection to PostgreSQL, and this one leads to a pooler: set DATABASE_DIRECT_URL to the address of the server itself.',
    );
  }
  try {
    await runCommand(
      client,
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    return await work(
      createQueryable((statement) => execute(client, statement, UNLIMITED_MS), settings),
    );
  } finally {
    markBroken(client);
  }
}
