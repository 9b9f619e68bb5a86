import { resolve } from 'node:path';
import type pg from 'pg';
import { startEmbedded } from './embedded/start-embedded.ts';
import { DatabaseUnreachable } from './errors.ts';
import { integer, row } from './row.ts';
import { listenTo } from './session/listen.ts';
import { openPool, type Pool } from './session/pool.ts';
import {
  CLIENT_GRACE_MS,
  type Limits,
  prepareEmbeddedSession,
  prepareServerSession,
} from './session/session.ts';
import { raw } from './sql.ts';
import type { Database, DatabaseLog, DatabaseObserver, DatabaseTarget } from './types.ts';

export interface OpenOptions {
  readonly log?: DatabaseLog;
  /** How many connections at most; 10 on a server, always 1 embedded. */
  readonly pool?: number;
  /** Seconds after which a connection is replaced; 60. */
  readonly lifetimeSeconds?: number;
  /**
   * Milliseconds for each statement, lock wait and idle transaction on a server. Embedded knows
   * `statement` only, and a statement beyond it costs the database (`onLost`).
   */
  readonly limits?: Partial<Limits>;
  /** Refuse `db` inside a transaction on a server too (tests); embedded always does. */
  readonly refuseNesting?: boolean;
  /**
   * Compare every value with its declared row: nulls, `oneOf` and JSON schemas (tests). The columns
   * of each statement are always compared.
   */
  readonly checkValues?: boolean;
  /** The embedded database died: no statement will work again, and the process should exit. */
  readonly onLost?: (cause: Error) => void;
  readonly observer?: DatabaseObserver;
}

const LIMITS: Limits = { statement: 5_000, lock: 2_000, idleInTransaction: 10_000 };
const CONNECT_MS = 5_000;
const IDLE_MS = 60_000;
/**
 * A connection is replaced after a minute, and its plans with it. PostgreSQL may settle on planning a
 * statement for its values each time, by what a generic plan cost when the tables were small: that
 * took 1 ms for each look at a tenant. Connecting takes about 10 ms.
 */
const LIFETIME_S = 60;
// There is one session: a statement may have to wait for many others.
const EMBEDDED_WAIT_MS = 60_000;
const OLDEST_SERVER = 140_000;

const versionRow = row('server version', { version: integer });

/**
 * Opens the database and sends one statement to it. Apply migrations with `migrate` afterwards.
 * @throws DatabaseUnreachable, DataFolderLocked, DataFolderUnusable
 */
export async function openDatabase(
  target: DatabaseTarget,
  options: OpenOptions = {},
): Promise<Database> {
  return 'url' in target ? openServer(target.url, options) : openFolder(target.dataDir, options);
}

async function openServer(url: string, options: OpenOptions): Promise<Database> {
  const { log } = options;
  const limits = { ...LIMITS, ...options.limits };
  const connection: pg.PoolConfig = {
    connectionString: url,
    application_name: 'svc',
    connectionTimeoutMillis: CONNECT_MS,
    maxLifetimeSeconds: options.lifetimeSeconds ?? LIFETIME_S,
    query_timeout: limits.statement === 0 ? 0 : limits.statement + CLIENT_GRACE_MS,
    pipeline: true,
  };
  let warned = false;
  const pool = openPool({
    connection: { ...connection, max: options.pool ?? 10, idleTimeoutMillis: IDLE_MS },
    refuseNesting: options.refuseNesting ?? false,
    rowChecks: { values: options.checkValues ?? false },
    observer: options.observer,
    connectionError: (error) => log?.warn({ err: error }, 'database connection lost'),
    async prepare(client) {
      if ((await prepareServerSession(client, limits)) === 'direct' || warned) return;
      warned = true;
      log?.warn(
        { ...limits },
        'a pooler stands before the database: set these limits on the role too',
      );
    },
  });
  await greet(pool, url);
  return {
    ...statementsOf(pool),
    kind: 'server',
    listen: (channel, heard) => listenTo(connection, channel, heard, log),
    close: () => pool.end(),
  };
}

async function openFolder(dataDir: string, options: OpenOptions): Promise<Database> {
  // Its socket server interleaves the messages of two connections: statements get mixed up.
  if ((options.pool ?? 1) !== 1) {
    throw new RangeError('The embedded database has one session: leave `pool` out or set it to 1.');
  }
  let pool: Pool | undefined;
  const embedded = await startEmbedded(resolve(dataDir), (cause) => {
    options.log?.error({ err: cause }, 'the embedded database stopped');
    pool?.fail(cause);
    options.onLost?.(cause);
  });
  const opened = openPool({
    connection: {
      host: embedded.host,
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      max: 1,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: options.lifetimeSeconds ?? LIFETIME_S,
      connectionTimeoutMillis: EMBEDDED_WAIT_MS,
      query_timeout: options.limits?.statement ?? EMBEDDED_WAIT_MS,
      // Whatever PGSSLMODE says to other clients.
      ssl: false,
    },
    // PGlite cannot cancel: what runs for too long (a full disk does that) blocks everything after.
    stuck: embedded.kill,
    refuseNesting: true,
    rowChecks: { values: options.checkValues ?? false },
    observer: options.observer,
    connectionError: (error) => options.log?.warn({ err: error }, 'database connection lost'),
    prepare: prepareEmbeddedSession,
  });
  pool = opened;
  return {
    ...statementsOf(opened),
    kind: 'embedded',
    listen: async () => async () => undefined,
    async close() {
      await opened.end();
      await embedded.stop();
    },
  };
}

async function greet(pool: Pool, url: string): Promise<void> {
  try {
    const { version } = await pool.one(
      versionRow,
      raw(`select current_setting('server_version_num')::int as version`),
    );
    if (version >= OLDEST_SERVER) return;
    throw new Error(`it is PostgreSQL ${Math.floor(version / 10_000)}, 14 or later is needed`);
  } catch (cause) {
    await pool.end();
    const { message } = cause as Error;
    throw new DatabaseUnreachable(`The database at ${placeOf(url)} cannot be used: ${message}.`, {
      cause,
    });
  }
}

/** Host and name without user, password or parameters. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the given URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function statementsOf({
  many,
  one,
  maybe,
  run,
  transaction,
  session,
}: Pool): Pick<Database, keyof Pool & keyof Database> {
  return { many, one, maybe, run, transaction, session };
}
