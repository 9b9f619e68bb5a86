import { json, row } from '../row.ts';
import { plannedEachTime } from '../session/prepared.ts';
import { raw } from '../sql.ts';
import type { Database, Queryable, Sql, Tx } from '../types.ts';

/** The amount of data that statements read, counted by PostgreSQL's executor. */
export interface Reads {
  /** Rows and index entries that scans visited, including those that a filter removed. */
  rows: number;
  /** Pages read from memory or disk. */
  pages: number;
}

/**
 * Runs `work` and counts what its statements read. Each statement is also run under EXPLAIN ANALYZE
 * (`explainReads`).
 */
export async function countReads(db: Database, work: (tx: Tx) => Promise<unknown>): Promise<Reads> {
  const total: Reads = { rows: 0, pages: 0 };
  const count = async (statement: Sql) => {
    const { rows, pages } = await db.transaction((tx) =>
      explainReads(tx, statement.text, statement.values.map(literal)),
    );
    total.rows += rows;
    total.pages += pages;
  };
  const q: Queryable = {
    cluster: db.cluster,
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
  };
  let sent: Promise<unknown> = Promise.resolve();
  await work({
    ...q,
    inTransaction: true,
    alone: q,
    send(statement) {
      sent = sent.then(() => q.run(statement));
    },
  });
  await sent;
  return total;
}

let preparedCount = 0;

/**
 * Runs a statement under EXPLAIN ANALYZE as a prepared statement, with a custom and with a generic plan, and returns
 * the higher counts. What the statement writes is rolled back.
 * @param values PostgreSQL literals, as `literal` returns them
 */
export async function explainReads(
  tx: Tx,
  text: string,
  values: readonly string[],
): Promise<Reads> {
  // Each statement has a new name, because one that fails stays prepared: its transaction is aborted.
  preparedCount += 1;
  const name = `counted_${preparedCount}`;
  const executeArgs = values.length === 0 ? '' : `(${values.join(', ')})`;
  const explained = raw(
    `explain (analyze, buffers, timing off, format json) execute ${name}${executeArgs}`,
  );
  const most: Reads = { rows: 0, pages: 0 };
  await tx.run(raw(`prepare ${name} as ${text}`));
  const modes = ['force_custom_plan'];
  if (!text.includes(plannedEachTime)) modes.push('force_generic_plan');
  for (const mode of modes) {
    await tx.run(raw(`savepoint explained; set local plan_cache_mode = ${mode}`));
    const { 'QUERY PLAN': plans } = await tx.one(planRow, explained);
    const [{ Plan: plan }] = plans as [{ Plan: Plan }];
    most.rows = Math.max(most.rows, rowsRead(plan));
    most.pages = Math.max(most.pages, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    await tx.run(raw('rollback to savepoint explained'));
  }
  await tx.run(raw(`deallocate ${name}`));
  return most;
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

/** Returns the value as a text literal, which the casts of the statement convert. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return quoted(value.toISOString());
  if (value instanceof Uint8Array) return quoted(`\\x${Buffer.from(value).toString('hex')}`);
  if (Array.isArray(value))
    return quoted(`{${value.map((each) => JSON.stringify(each)).join(',')}}`);
  return quoted(String(value));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
