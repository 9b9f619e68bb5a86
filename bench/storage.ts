import { bigint, type Database, raw, row, sql, text } from '@svc/db';
import { recordPortalInfo } from '../apps/server/src/domain/intake/record-portal-info.ts';
import { each, openStage, runCommand, type Stage, sendMailsAt, tickAt } from './domain/setup.ts';
import { portalInfo, splitRent } from './domain/split-rent.ts';
import { type Bench, plainRow, type Row } from './rows.ts';

const months = 6;
const visitsPerMonth = 8;
/** How many of ten tenants split their rent. The others only look. */
const splitters = 6;
const dayMs = 86_400_000;

/**
 * Measures the bytes and rows for each tenant and month in each table with its indexes, after some tenants
 * used the service for half a year: each opens the portal eight times a month, and six of ten split their
 * rent. The clock advances day by day, so that expired rows are deleted as in production. There is no
 * endpoint, so messages are stored, but neither deliveries nor attempts. Also measures what a tenant-month
 * costs in statements, CPU time of the service and write-ahead log. All tenants share the cost of the ticks.
 */
export const bench: Bench = async ({ databaseUrl, full }) => {
  const tenants = full ? 1_000 : 100;
  let statements = 0;
  const statementEnded = () => {
    statements += 1;
  };
  const observer = { succeeded() {}, failed() {}, statementEnded };
  const stage = await openStage(await databaseUrl(), { observer });
  const empty = await sizes(stage.db);
  const ids: string[] = [];
  statements = 0;
  const cpuBefore = process.cpuUsage();
  const walBefore = await walBytes(stage.db);
  for (let month = 1; month <= months; month += 1) {
    await playMonth(stage, `2026-0${month}-01`, tenants, ids);
    console.log(`month ${month} of ${months}`);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const wal = (await walBytes(stage.db)) - walBefore;
  const work = statements;
  await stage.db.run(raw('vacuum (analyze)'));
  const found = await sizes(stage.db);
  await stage.db.close();
  const tenantMonths = tenants * months;
  const rows: Row[] = [];
  const total = { rows: 0, bytes: 0, indexes: 0 };
  for (const [table, size] of found) {
    const before = empty.get(table) ?? { rows: 0, bytes: 0, indexes: 0 };
    const grown = {
      rows: size.rows - before.rows,
      bytes: size.bytes - before.bytes,
      indexes: size.indexes - before.indexes,
    };
    if (grown.bytes < tenantMonths) continue;
    total.rows += grown.rows;
    total.bytes += grown.bytes;
    total.indexes += grown.indexes;
    rows.push(rowOf(table, grown, tenantMonths));
  }
  rows.sort((one, other) => other.value - one.value);
  return [
    rowOf('all tables', total, tenantMonths),
    ...rows,
    plainRow('statements', work / tenantMonths, 'per tenant-month'),
    plainRow(
      'CPU time of the service',
      (user + system) / 1_000 / tenantMonths,
      'ms per tenant-month',
    ),
    plainRow('write-ahead log', wal / tenantMonths, 'bytes per tenant-month'),
  ];
};

interface Size {
  readonly rows: number;
  readonly bytes: number;
  readonly indexes: number;
}

function rowOf(table: string, size: Size, tenantMonths: number): Row {
  const per = (value: number) => value / tenantMonths;
  const share = size.bytes === 0 ? 0 : Math.round((100 * size.indexes) / size.bytes);
  const name = `${table}: ${per(size.rows).toFixed(2)} rows, ${share} % indexes`;
  return plainRow(name, per(size.bytes), 'bytes per tenant-month');
}

const walRow = row('write-ahead log', { bytes: bigint });

async function walBytes(db: Database): Promise<number> {
  const { bytes } = await db.one(walRow, sql`select (pg_current_wal_lsn() - '0/0')::int8 as bytes`);
  return bytes;
}

/** Plays one month of every tenant, and runs the tick on each of its days. */
async function playMonth(
  stage: Stage,
  dueDate: string,
  tenants: number,
  ids: (string | undefined)[],
): Promise<void> {
  const first = new Date(`${dueDate}T12:00:00Z`);
  const split = async (index: number) => {
    if (index % 10 >= splitters) return;
    ids[index] = await splitRent(stage, `t-${index}`, { dueDate, now: first, known: ids[index] });
  };
  // The first one runs alone, because it opens the partner's accounts and all others would wait.
  await split(0);
  await each(tenants - 1, 8, (index) => split(index + 1));
  for (let day = 0; day < 30; day += 1) {
    const now = new Date(first.getTime() + day * dayMs + 4 * 3_600_000);
    if (day % 4 === 0 && day / 4 < visitsPerMonth) {
      await each(tenants, 8, (index) => visit(stage, now, `t-${index}`, dueDate));
    }
    await tickAt(stage.db, now);
    await sendMailsAt(stage.db, now);
    // The days pass faster than autovacuum would run.
    if (day % 3 === 2) await stage.db.run(raw('vacuum (analyze)'));
  }
}

/** Reports the tenant's data, as the portal does whenever it shows the widget's page. */
function visit({ db, partner }: Stage, now: Date, externalId: string, dueDate: string) {
  return runCommand(db, now, partner, (ctx) =>
    recordPortalInfo(ctx, { external_id: externalId, input: portalInfo(dueDate), dry_run: false }),
  );
}

const sizeRow = row('size of a table', {
  name: text,
  rows: bigint,
  bytes: bigint,
  indexes: bigint,
});

/** Returns each table's size with its indexes and TOAST data. A partitioned table includes all its partitions. */
async function sizes(db: Database): Promise<Map<string, Size>> {
  await db.run(raw('analyze'));
  const found = await db.many(
    sizeRow,
    sql`
    select coalesce(i.inhparent, c.oid)::regclass::text as name,
      sum(greatest(c.reltuples, 0))::int8 as rows, sum(pg_total_relation_size(c.oid))::int8 as bytes,
      sum(pg_indexes_size(c.oid))::int8 as indexes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by 1`,
  );
  return new Map(found.map(({ name, ...size }) => [name, size]));
}
