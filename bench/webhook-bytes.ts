import { type Database, double, raw, row, sql, text } from '@svc/db';
import { type Engine, newId } from '@svc/webhooks';
import { type EventType, eventExamples } from '../packages/contract/src/index.ts';
import { type Bench, plainRow, type Row } from './rows.ts';
import { startReceiver } from './start-receiver.ts';
import { addEndpoint, clock, newOwner, openMigrated, startEngine } from './webhooks/setup.ts';

const owners = 50;
const tenantsPerOwner = 40;
const rounds = 10;

/**
 * Measures the bytes that a delivered webhook takes in the tables of messages and attempts: in the table,
 * and in each index. The bodies are the examples of the catalog. Each owner has one endpoint, which answers at once.
 */
export const bench: Bench = async ({ databaseUrl }) => {
  const url = await databaseUrl();
  const db = await openMigrated({ url });
  const receiver = await startReceiver();
  const engine = await startEngine(db);
  try {
    await deliver(db, engine, receiver.url);
  } finally {
    await engine.stop();
    receiver.stop();
  }
  await db.run(raw('vacuum analyze webhook_messages, webhook_attempts'));
  const rows = await measure(db, '');
  await db.run(raw('reindex table webhook_messages_first'));
  await db.run(raw('reindex table webhook_attempts_first'));
  rows.push(...(await measure(db, ', reindexed')).filter(({ name }) => name.startsWith('all')));
  await db.close();
  return rows;
};

async function deliver(db: Database, engine: Engine, url: string): Promise<void> {
  const types = Object.keys(eventExamples) as EventType[];
  const names = Array.from({ length: owners }, newOwner);
  for (const owner of names) await addEndpoint(db, owner, url);
  for (let round = 0; round < rounds; round += 1) {
    for (let tenant = 0; tenant < tenantsPerOwner; tenant += 1) {
      const messages = names.map((owner, index) => {
        const id = newId('evt', clock.now());
        const type = types[(round * 7 + tenant + index) % types.length] ?? 'plan.created';
        const subject = `tenant-${index}-${tenant}`;
        return { id, owner, subject, type, body: bodyOf(id, type, subject) };
      });
      await engine.publish(messages);
    }
    await engine.idle();
  }
}

/** Returns a body with the same fields as the service's envelope, so that its length is realistic. */
function bodyOf(id: string, type: EventType, subject: string): string {
  return JSON.stringify({
    id,
    type,
    timestamp: clock.now().toISOString(),
    api_version: 'v1',
    environment: 'sandbox',
    pms: 'example',
    external_id: subject,
    data: eventExamples[type],
  });
}

const sizeRow = row('bytes of a relation', { relation: text, bytes: double });

/** Measures the partitions that hold all rows. Each message has one attempt, so bytes per row are per webhook. */
async function measure(db: Database, when: string): Promise<Row[]> {
  const sizes = await db.many(
    sizeRow,
    sql`
    with stored as (
      select p.relname::text as parent, c.oid, c.reltuples
      from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
      where p.relname in ('webhook_messages', 'webhook_attempts') and c.reltuples > 0
    )
    select parent as relation, pg_table_size(oid) / reltuples::float8 as bytes from stored
    union all
    select parent || ': ' || string_agg(a.attname, ', ' order by a.attnum)
        || coalesce(' where ' || pg_get_expr(x.indpred, x.indrelid), ''),
      pg_relation_size(x.indexrelid) / reltuples
    from stored s
    join pg_index x on x.indrelid = s.oid
    join pg_attribute a on a.attrelid = x.indexrelid
    group by parent, reltuples, x.indexrelid, x.indpred, x.indrelid
    order by 1`,
  );
  const indexes = sizes.filter(({ relation }) => relation.includes(':'));
  const total = (list: typeof sizes) => list.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...sizes,
    { relation: `all indexes${when}`, bytes: total(indexes) },
    { relation: `all of a delivered webhook${when}`, bytes: total(sizes) },
  ].map(({ relation, bytes }) => plainRow(relation, bytes, 'bytes'));
}
