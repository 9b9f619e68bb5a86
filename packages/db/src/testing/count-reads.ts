import { json, row } from '../row.ts';
import { raw } from '../sql.ts';
import type { Database, Queryable, Sql } from '../types.ts';

/** The amount of data that statements read, counted by PostgreSQL's executor. */
export interface Reads {
  /** Rows and index entries that scans visited, including those that a filter removed. */
  rows: number;
  /** Pages read from memory or disk. */
  pages: number;
}

/**
 * Runs `work` and counts what its statements read. Each statement is also run under EXPLAIN ANALYZE as
 * a prepared statement, once with a custom and once with a generic plan. The more expensive one counts.
 */
export async function countReads(
  db: Database,
  work: (q: Queryable) => Promise<unknown>,
): Promise<Reads> {
  const total: Reads = { rows: 0, pages: 0 };
  const count = async (statement: Sql) => {
    const plans = await explainReads(db, statement);
    total.rows += Math.max(...plans.map(({ rows }) => rows));
    total.pages += Math.max(...plans.map(({ pages }) => pages));
  };
  await work({
    isDistributed: db.isDistributed,
    async many(declared, statement) {
      await count(statement);
      return db.many(declared, statement);
    },
    async one(declared, statement) {
      await count(statement);
      return db.one(declared, statement);
    },
    async maybe(declared, statement) {
      await count(statement);
      return db.maybe(declared, statement);
    },
    async run(statement) {
      await count(statement);
      return db.run(statement);
    },
  });
  return total;
}

function explainReads(db: Database, { text, values }: Sql): Promise<Reads[]> {
  const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const explained = raw(
    `explain (analyze, buffers, timing off, format json) execute counted${given}`,
  );
  return db.transaction(async (tx) => {
    await tx.run(raw(`prepare counted as ${text}`));
    const found = [];
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await tx.run(raw(`set local plan_cache_mode = ${mode}`));
      const { 'QUERY PLAN': plans } = await tx.one(planRow, explained);
      const [{ Plan: plan }] = plans as [{ Plan: Plan }];
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      found.push({ rows: rowsRead(plan), pages });
    }
    await tx.run(raw('deallocate counted'));
    return found;
  });
}

const planRow = row('query plan', { 'QUERY PLAN': json() });

/** The fields of a plan node that are counted; PostgreSQL documents them under EXPLAIN. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

function rowsRead(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
  if (!plan['Node Type'].includes('Scan')) return below;
  const visited =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  return below + Math.ceil(visited * plan['Actual Loops']);
}

/** The value as a text literal, which the statement's casts convert. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return quoted(value.toISOString());
  if (Array.isArray(value))
    return quoted(`{${value.map((each) => JSON.stringify(each)).join(',')}}`);
  return quoted(String(value));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
