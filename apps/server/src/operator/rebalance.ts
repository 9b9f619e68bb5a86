import { setTimeout as sleep } from 'node:timers/promises';
import {
  bigint,
  boolean,
  type Database,
  integer,
  nullable,
  type Queryable,
  raw,
  row,
  sql,
  text,
} from '@svc/db';
import { ConfigError } from '../service-settings.ts';
import { countOf } from './format.ts';

/**
 * A shard group to move: one shard of each distributed table, with the rows of some partners. It is named by
 * its shard of the tenants.
 */
export interface Move {
  readonly group: number;
  readonly partners: number;
  readonly bytes: number;
  /** Servers, as `host:port`. */
  readonly from: string;
  readonly to: string;
}

/** A move at this moment, of this command or of another session. */
export interface RunningMove {
  /** The process of PostgreSQL on the coordinator. */
  readonly pid: number;
  /** Null for a copy of the tables that every server stores. */
  readonly group: number | null;
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly copied: number;
  /** The step as Citus names it, such as `Copying Data`. */
  readonly step: string;
}

export interface Rebalance {
  readonly moves: readonly Move[];
  readonly running: readonly RunningMove[];
  /** Old copies of moved tables, and what interrupted moves left behind, that still have to be removed. */
  readonly leftovers: number;
  /** The reasons why nothing can be moved now, as sentences. */
  readonly problems: readonly string[];
}

export interface Moved extends Move {
  readonly seconds: number;
  /** How long writes of the group's partners were blocked, to about 50 ms. */
  readonly blocked_ms: number;
}

const plannedRow = row('planned move', { group: bigint, from: text, to: text });
const sizeRow = row('size of a shard group', { group: bigint, bytes: bigint });
const partnersRow = row('partners of a shard group', { group: bigint, partners: bigint });
const runningRow = row('running move', {
  pid: integer,
  group: nullable(bigint),
  from: text,
  to: text,
  bytes: bigint,
  copied: bigint,
  step: text,
});
const countRow = row('number of leftovers', { count: bigint });
const tableRow = row('table', { name: text });

/**
 * Reads what would move and what is unfinished. `known` lists problems of the servers or tables that were already
 * found.
 */
export async function readRebalance(db: Database, known: readonly string[]): Promise<Rebalance> {
  const { count: leftovers } = await db.one(countRow, sql`select count(*) from pg_dist_cleanup`);
  // The statements below ask every server, and fail while one does not answer.
  if (known.length > 0) return { moves: [], running: [], leftovers, problems: known };
  // Uses a session, which has no statement timeout, because Citus asks for the size of each shard.
  return db.session(async (session) => ({
    moves: await planMoves(session),
    running: await readRunning(session),
    leftovers,
    problems: await findUnmovable(session),
  }));
}

async function planMoves(session: Queryable): Promise<Move[]> {
  const planned = await session.many(
    plannedRow,
    sql`
    select shardid as group, sourcename || ':' || sourceport as from, targetname || ':' || targetport as to
    from get_rebalance_table_shards_plan() with ordinality
    where table_name = 'tenant'::regclass order by ordinality`,
  );
  if (planned.length === 0) return [];
  const sizes = await session.many(
    sizeRow,
    sql`
    select t.shardid as group, sum(c.shard_size)::bigint as bytes
    from citus_shards c join pg_dist_shard s on s.shardid = c.shardid
      join pg_dist_shard t on t.shardminvalue = s.shardminvalue and t.logicalrelid = 'tenant'::regclass
    group by 1`,
  );
  const partners = await session.many(
    partnersRow,
    sql`
    /* many rows: all partners, when an operator moves some */
    select get_shard_id_for_distribution_column('tenant', id) as group, count(*) as partners
    from partner group by 1`,
  );
  const bytesOf = new Map(sizes.map(({ group, bytes }) => [group, bytes]));
  const partnersOf = new Map(partners.map((it) => [it.group, it.partners]));
  return planned.map((move) => ({
    ...move,
    bytes: bytesOf.get(move.group) ?? 0,
    partners: partnersOf.get(move.group) ?? 0,
  }));
}

function readRunning(q: Queryable): Promise<RunningMove[]> {
  return q.many(
    runningRow,
    sql`
    select sessionid as pid, max(shardid) filter (where table_name = 'tenant'::regclass) as group,
      sourcename || ':' || sourceport as from, targetname || ':' || targetport as to,
      sum(source_shard_size)::bigint as bytes, sum(target_shard_size)::bigint as copied, min(status) as step
    from get_rebalance_progress() group by 1, 3, 4 order by 1`,
  );
}

/** Tables whose updates PostgreSQL cannot replicate, so that Citus refuses to move them. */
async function findUnmovable(session: Queryable): Promise<string[]> {
  const tables = await session.many(
    tableRow,
    sql`
    select c.relname::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relkind = 'r' and c.relreplident = 'd'
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
    order by 1`,
  );
  return tables.map(({ name }) => `${name} has no primary key. Add one to move its rows.`);
}

interface Rebalancing {
  readonly known: readonly string[];
  readonly report: (line: string) => void;
  /** Stops the command between two moves. */
  readonly signal: AbortSignal;
  /** Writes the audit entry of a move that is done. */
  readonly record: (move: Move) => Promise<void>;
}

/** The advisory lock of a session that moves tables, so that two commands move them one after the other. */
const lockKey = 5_142_035;

const takenRow = row('advisory lock', { taken: boolean });
const pidRow = row('process of PostgreSQL', { pid: integer });

/**
 * Moves shard groups one after another, while partners are served, until the workers store about as much as each
 * other. First waits for a move that the process of an interrupted command is still making, and removes what that
 * command has left. Returns what was moved, and how many groups are left if the signal stopped it.
 * @throws ConfigError if nothing can be moved, or if a move fails: its group then stays where it is
 */
export async function rebalance(
  db: Database,
  { known, report, signal, record }: Rebalancing,
): Promise<{ moved: Moved[]; left: number }> {
  if (known.length > 0) throw new ConfigError(known.join('\n'));
  return db.session(async (session) => {
    await takeLock(session, report);
    await session.run(raw('call citus_cleanup_orphaned_resources()'));
    const { moves, running, problems } = await readRebalance(db, []);
    const refused = [...running.map(describeOther), ...problems];
    if (refused.length > 0) throw new ConfigError(refused.join('\n'));
    if (moves.length === 0) return { moved: [], left: 0 };
    // A new worker has none of the tables that every server stores.
    await attempt('The tables that every server stores could not be copied', () =>
      session.run(raw("select replicate_reference_tables('auto')")),
    );
    const { pid } = await session.one(pidRow, sql`select pg_backend_pid() as pid`);
    const moved: Moved[] = [];
    for (const move of moves) {
      if (signal.aborted) break;
      report(`${moved.length + 1} of ${moves.length}: ${describeMove(move)}`);
      moved.push(await watchMove(db, { move, pid, report, moving: moveGroup(session, move) }));
      await record(move);
    }
    // Citus repeats this every 15 s, too, for copies that are still being read.
    await session.run(raw('call citus_cleanup_orphaned_resources()'));
    return { moved, left: moves.length - moved.length };
  });
}

function describeOther({ pid, from, to }: RunningMove): string {
  return `PostgreSQL process ${pid} moves tables from ${from} to ${to}. Wait until it has ended: "svc-admin db rebalance status" shows it.`;
}

export function describeMove({ group, partners, bytes, from, to }: Move): string {
  return `group ${group} (${countOf(partners, 'partner', 'partners')}, ${megabytes(bytes)}) from ${from} to ${to}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function takeLock(session: Queryable, report: (line: string) => void): Promise<void> {
  const { taken } = await session.one(
    takenRow,
    sql`select pg_try_advisory_lock(${lockKey}) as taken`,
  );
  if (taken) return;
  report('An earlier command still moves a group; waiting for it.');
  await session.run(sql`select pg_advisory_lock(${lockKey})`);
}

async function moveGroup(session: Queryable, { group, from, to }: Move): Promise<void> {
  const [source, target] = [addressOf(from), addressOf(to)];
  await attempt(`Group ${group} could not be moved from ${from} to ${to}`, () =>
    session.run(sql`
      select citus_move_shard_placement(${group}::bigint, ${source.host}, ${source.port}::integer,
        ${target.host}, ${target.port}::integer, 'auto')`),
  );
}

/**
 * Runs a step that Citus undoes if it fails.
 * @throws ConfigError with the reason, if it fails
 */
async function attempt(failure: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    throw new ConfigError(
      `${failure}: ${reason}. Nothing of it has changed. Repair that, and run "svc-admin db rebalance apply" again.`,
      { cause: error },
    );
  }
}

function addressOf(server: string): { host: string; port: number } {
  const colon = server.lastIndexOf(':');
  return { host: server.slice(0, colon), port: Number(server.slice(colon + 1)) };
}

const pollEveryMs = 50;
const reportEveryMs = 5_000;

interface Watched {
  readonly move: Move;
  readonly pid: number;
  readonly report: (line: string) => void;
  readonly moving: Promise<void>;
}

const blockingRow = row('lock of a move', { blocks: boolean });

/** Reports how far a move is, and measures how long it blocks writes at its end. */
async function watchMove(db: Database, { move, pid, report, moving }: Watched): Promise<Moved> {
  const started = performance.now();
  let reported = started;
  let blockedSince: number | undefined;
  const ended = moving.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, sleep(pollEveryMs, false)]))) {
    const { blocks } = await db.one(blockingRow, blocksWriters(pid));
    if (blocks) blockedSince ??= performance.now();
    if (performance.now() - reported < reportEveryMs) continue;
    reported = performance.now();
    // A server that does not answer fails the move, whose error says more.
    const running = await readRunning(db).catch(() => []);
    for (const it of running.filter((it) => it.pid === pid)) report(`  ${describeStep(it)}`);
  }
  await moving;
  const now = performance.now();
  const moved = {
    ...move,
    seconds: Math.round((now - started) / 100) / 10,
    blocked_ms: blockedSince === undefined ? 0 : Math.round(now - blockedSince),
  };
  report(
    `  moved in ${moved.seconds} s; writes of its partners were blocked for ${moved.blocked_ms} ms`,
  );
  return moved;
}

export function describeStep({ step, copied, bytes }: RunningMove): string {
  return `${step.toLowerCase()}, ${megabytes(copied)} of ${megabytes(bytes)}`;
}

/**
 * Returns a statement that tells whether a move blocks writers now. Writers hold an advisory lock on the shard group
 * in shared mode. At its end, a move takes that lock in exclusive mode, and those of the tables that every server
 * stores: the classes 8 and 4 of Citus (ADV_LOCKTAG_CLASS_CITUS_COLOCATED_SHARDS_METADATA and
 * ADV_LOCKTAG_CLASS_CITUS_SHARD_METADATA).
 */
function blocksWriters(pid: number) {
  return sql`
    select exists (select from pg_locks where pid = ${pid} and locktype = 'advisory'
      and objsubid in (4, 8) and mode = 'ExclusiveLock') as blocks`;
}
