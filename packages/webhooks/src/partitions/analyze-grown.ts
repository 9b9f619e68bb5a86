import { type Database, mayMaintain, raw, row, sql, text } from '@svc/db';

const partitionRow = row('partition to analyze', { name: text });

/**
 * Analyzes partitions that were empty when they were last analyzed, and have rows now. For the planner
 * an empty table costs nothing to read as a whole, and it keeps such a plan: every lookup of a claim
 * would read all messages of the new month until autovacuum analyzes it, minutes later. A role that may
 * not analyze a partition leaves it to autovacuum.
 */
export async function analyzeGrown(db: Database): Promise<void> {
  const grown = await db.many(
    partitionRow,
    sql`
    select c.oid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('webhook_messages'::regclass, 'webhook_attempts'::regclass)
      and c.reltuples <= 0 and pg_relation_size(c.oid) > ${10 * 8_192}::int
      and ${mayMaintain('c')}`,
  );
  for (const { name } of grown) await db.run(raw(`analyze ${name}`));
}
