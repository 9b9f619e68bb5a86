import { json, openDatabase, type Queryable, raw, row } from '@svc/db';
import { keepDatabases, literal, watchStatements } from '@svc/db/testing';
import { findSource, readSourceStatements, type SourceStatement } from './source-statements.ts';

// On a cluster, a statement about one partner must run on the server that stores the partner's rows.
// Otherwise any server that is down stops the calls of all partners. EXPLAIN shows where Citus runs a
// statement, so each statement that a test has run is explained before its database is dropped.

const sources = readSourceStatements(process.cwd());
const sourceOf = new Map<string, SourceStatement | undefined>();
const ranByDatabase = new Map<string, Map<string, readonly string[]>>();
/** Statements that ran on one shard. A file with a database for each test would explain the same ones again. */
const ranOnOne = new Set<string>();

/**
 * Returns whether a statement is about many partners. One about all partners may still name a single one, such as
 * the partner with work that a claim has found.
 */
function isAboutMany({ place, text: written }: SourceStatement, text: string): boolean {
  // The operator's pages are about the partners that the person may see.
  if (place.includes('/back-office/')) return true;
  // A list that an operator may limit to one partner.
  if (written.includes('/* all partners, unless')) return true;
  return written.includes('/* all partners') && !/\.partner_id = \$\d/.test(text);
}

watchStatements((database, { text, values }) => {
  if (!database.startsWith('svc_test_')) return;
  if (!sourceOf.has(text)) sourceOf.set(text, findSource(sources, text));
  const source = sourceOf.get(text);
  if (!source || isAboutMany(source, text)) return;
  const statements = ranByDatabase.get(database) ?? new Map<string, readonly string[]>();
  ranByDatabase.set(database, statements);
  if (!statements.has(text)) statements.set(text, values.map(literal));
});

keepDatabases(async (name, url) => {
  const db = await openDatabase({ url });
  const statements = [...(ranByDatabase.get(name) ?? [])];
  const spread = await db
    .session(async (session) => {
      const found: string[] = [];
      for (const [index, [text, values]] of statements.entries()) {
        if (ranOnOne.has(text)) continue;
        const tasks = await explain(session, `explained_${index}`, { text, values });
        if (tasks === 1) ranOnOne.add(text);
        if (tasks > 1) found.push(`${sourceOf.get(text)?.place} runs on ${tasks} shards`);
      }
      return found;
    })
    .finally(() => db.close());
  if (spread.length > 0) throw new Error([...new Set(spread)].toSorted().join('\n'));
  return false;
});

/**
 * Returns the largest number of shards on which a part of the statement runs; 0 if the statement needs something
 * that the test has since deleted.
 */
async function explain(
  session: Queryable,
  name: string,
  { text, values }: { readonly text: string; readonly values: readonly string[] },
): Promise<number> {
  const parameters = values.length === 0 ? '' : `(${values.join(', ')})`;
  try {
    await session.run(raw(`prepare ${name} as ${text}`));
    const plan = await session.one(
      planRow,
      raw(`explain (format json) execute ${name}${parameters}`),
    );
    return mostTasks(plan['QUERY PLAN']);
  } catch {
    return 0;
  }
}

const planRow = row('query plan', { 'QUERY PLAN': json() });

function mostTasks(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const own = (plan as { 'Task Count'?: number })['Task Count'] ?? 0;
  return Math.max(own, ...Object.values(plan).map(mostTasks));
}
