import { resolve } from 'node:path';
import { startEmbedded } from './embedded/start-embedded.ts';
import { ConnectionFailed, DatabaseUnreachable } from './errors.ts';
import { boolean, integer, row } from './row.ts';
import { describeDatabaseUrl, type Hosts, openHosts } from './session/hosts.ts';
import { listenTo } from './session/listen.ts';
import { openPool, type Pool, type PoolSettings } from './session/pool.ts';
import type { StatementSettings } from './session/rows.ts';
import {
  CLIENT_GRACE_MS,
  type Limits,
  prepareEmbeddedSession,
  prepareServerSession,
} from './session/session.ts';
import { raw } from './sql.ts';
import type {
  Database,
  DatabaseLog,
  DatabaseObserver,
  DatabaseTarget,
  FolderTarget,
  ServerTarget,
} from './types.ts';

export interface OpenOptions {
  readonly log?: DatabaseLog;
  /** Maximum number of connections. Default: 10 on a server; always 1 embedded. */
  readonly pool?: number;
  /** Seconds after which a connection is replaced. Default: 60. */
  readonly lifetimeSeconds?: number;
  /**
   * Timeouts in milliseconds for statements, lock waits and idle transactions on a server. Embedded,
   * only `statement` applies, and exceeding it ends the database (`onLost`).
   */
  readonly limits?: Partial<Limits>;
  /** Refuse every write, and accept a server that does so too, such as a replica. */
  readonly readOnly?: boolean;
  /** Refuse `db` inside a transaction on a server too, for tests. Embedded it is always refused. */
  readonly refuseNesting?: boolean;
  /**
   * Compare every value with its declared row: nulls, `oneOf` and JSON schemas. For tests. The columns
   * of each statement are always compared.
   */
  readonly checkValues?: boolean;
  /** Called when the embedded database has died: no statement will work again, and the process should exit. */
  readonly onLost?: (cause: Error) => void;
  readonly observer?: DatabaseObserver;
}

const LIMITS: Limits = { statement: 5_000, lock: 2_000, idleInTransaction: 10_000 };
const CONNECT_MS = 5_000;
const IDLE_MS = 60_000;
/**
 * Replacing a connection also discards its plans. PostgreSQL may keep planning a statement on every
 * execution because a generic plan looked more expensive while the tables were small: that took 1 ms
 * for each query of a tenant. Connecting takes about 10 ms.
 */
const LIFETIME_S = 60;
// The embedded database has one session, so a statement may wait for many others.
const EMBEDDED_WAIT_MS = 60_000;
const OLDEST_SERVER = 140_000;

const serverRow = row('server', { version: integer, has_citus: boolean });
const distributedRow = row('distributed tables', { exist: boolean });

/**
 * Opens the database and sends one statement to it. Apply migrations with `migrate` afterwards.
 * @throws DatabaseUnreachable, DataFolderLocked, DataFolderUnusable
 */
export async function openDatabase(
  target: DatabaseTarget,
  options: OpenOptions = {},
): Promise<Database> {
  return 'url' in target ? openServer(target, options) : openFolder(target, options);
}

async function openServer(
  { url, directUrl }: ServerTarget,
  options: OpenOptions,
): Promise<Database> {
  const { log, observer, readOnly = false } = options;
  const limits = { ...LIMITS, ...options.limits };
  const statements: StatementSettings = {
    checkValues: options.checkValues ?? false,
    cluster: null,
  };
  let warned = false;

  function settingsFor(address: string): PoolSettings & { readonly hosts: Hosts } {
    return {
      hosts: openHosts(address, log),
      connection: {
        connectionString: address,
        application_name: 'svc',
        connectionTimeoutMillis: CONNECT_MS,
        maxLifetimeSeconds: options.lifetimeSeconds ?? LIFETIME_S,
        query_timeout: limits.statement === 0 ? 0 : limits.statement + CLIENT_GRACE_MS,
        pipeline: true,
        max: options.pool ?? 10,
        idleTimeoutMillis: IDLE_MS,
      },
      refuseNesting: options.refuseNesting ?? false,
      statements,
      observer,
      connectionError: (error) => log?.warn({ err: error }, 'database connection lost'),
      async prepare(client) {
        const kind = await prepareServerSession(client, limits, { readOnly });
        if (kind === 'direct' || warned) return;
        warned = true;
        log?.warn(
          { ...limits },
          'the database is behind a pooler: set these limits on the role too',
        );
      },
    };
  }

  const pooled = settingsFor(url);
  const pool = openPool(pooled);
  try {
    if (await readServer(pool)) statements.cluster = { outage: undefined, serverOf: new Map() };
  } catch (cause) {
    await pool.end();
    throw unreachable(url, cause);
  }
  // The direct connection is open only while it is used, because sessions are rare.
  const direct = directUrl === undefined ? undefined : settingsFor(directUrl);
  return {
    ...statementsOf(pool),
    ...(directUrl !== undefined &&
      direct && {
        async session(work) {
          const sessionPool = openPool({ ...direct, observer: undefined });
          try {
            return await sessionPool.session(work);
          } catch (error) {
            throw error instanceof ConnectionFailed ? unreachable(directUrl, error) : error;
          } finally {
            await sessionPool.end();
          }
        },
      }),
    kind: 'server',
    cluster: statements.cluster,
    async listen(channel, notified) {
      try {
        return await listenTo(direct ?? pooled, channel, notified, log);
      } catch (error) {
        throw unreachable(directUrl ?? url, error);
      }
    },
    close: () => pool.end(),
  };
}

async function openFolder(target: FolderTarget, options: OpenOptions): Promise<Database> {
  // PGlite's socket server would interleave the messages of two connections.
  if ((options.pool ?? 1) !== 1) {
    throw new RangeError('The embedded database has one session: leave `pool` out or set it to 1.');
  }
  let pool: Pool | undefined;
  const folder = { ...target, dataDir: resolve(target.dataDir) };
  const embedded = await startEmbedded(folder, (cause) => {
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
      // The socket has no TLS, whatever PGSSLMODE says.
      ssl: false,
    },
    // PGlite cannot cancel a statement. One that hangs (as on a full disk) blocks all later ones.
    stuck: embedded.kill,
    refuseNesting: true,
    statements: { checkValues: options.checkValues ?? false, cluster: null },
    observer: options.observer,
    connectionError: (error) => options.log?.warn({ err: error }, 'database connection lost'),
    prepare: prepareEmbeddedSession,
  });
  pool = opened;
  return {
    ...statementsOf(opened),
    kind: 'embedded',
    cluster: null,
    listen: async () => async () => undefined,
    async close() {
      await opened.end();
      await embedded.stop();
    },
  };
}

/** Sends the first statement. Returns whether tables are distributed over the servers of a cluster. */
async function readServer(pool: Pool): Promise<boolean> {
  const { version, has_citus } = await pool.one(
    serverRow,
    raw(`select current_setting('server_version_num')::int as version,
      to_regclass('pg_dist_partition') is not null as has_citus`),
  );
  if (version < OLDEST_SERVER) {
    const major = Math.floor(version / 10_000);
    throw new Error(`it is PostgreSQL ${major}, but 14 or later is required`);
  }
  if (!has_citus) return false;
  // 'h' is a table whose rows are placed by the hash of a column.
  const { exist } = await pool.one(
    distributedRow,
    raw(`select exists (select from pg_dist_partition where partmethod = 'h') as exist`),
  );
  return exist;
}

function unreachable(url: string, cause: unknown): DatabaseUnreachable {
  const { message } = cause as Error;
  const place = describeDatabaseUrl(url);
  return new DatabaseUnreachable(`The database at ${place} cannot be used: ${message}.`, { cause });
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
