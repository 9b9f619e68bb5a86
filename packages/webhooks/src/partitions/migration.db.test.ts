import { cp, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bigint, migrate, row, sql, text } from '@svc/db';
import { openTestDatabase, runFolder } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { listEvents } from '../messages/list-events.ts';
import { publish } from '../publishing/publish.ts';
import { migrations } from '../testing/harness.ts';
import { listPartitions, partitionedTables } from './list-partitions.ts';

const owner = 'partner_a';
const now = new Date('2026-01-15T12:00:00.000Z');

test('the tables of an earlier version become the first partitions, with all of their rows', async () => {
  const { db, close } = await openTestDatabase([
    { name: 'webhooks', folder: await earlierMigrations() },
  ]);
  const ids = Array.from({ length: 40 }, () => newId('evt', now));
  const [first = '', last = ''] = [ids[0], ids.at(-1)];
  for (const id of ids) {
    await db.run(sql`
      insert into webhook_messages (id, owner, type, body, created_at)
      values (${id}, ${owner}, 'a.one', ${id}, ${now}::timestamptz)`);
  }
  await db.run(sql`
    insert into webhook_attempts
      (owner, id, message_id, endpoint_id, trigger, started_at, status, detail)
    select ${owner}, 'att_' || substr(id, 5), id, 'ep_a', 'schedule', ${now}::timestamptz, 204, '{}'
    from unnest(${ids}::text[]) id`);
  const before = await rowsOf();

  await migrate(db, [migrations]);

  expect(await rowsOf()).toEqual(before);
  for (const table of partitionedTables) {
    const [only, ...others] = await listPartitions(db, table);
    expect(only).toMatchObject({ name: `${table.name}_first`, from: null });
    expect(others).toEqual([]);
  }
  // Messages published now follow in the feed, and ids stay unique.
  const next = newId('evt', now);
  const message = { id: next, owner, subject: null, type: 'a.one', body: 'next' };
  await db.transaction((tx) => publish(tx, [message], now));
  const again = db.transaction((tx) => publish(tx, [{ ...message, id: first }], now));
  await expect(again).rejects.toThrow(/duplicate key/);
  // The feed waits for the transactions of other tests on this server.
  await expect
    .poll(async () => (await listEvents(db, owner, last, 10)).items, { timeout: 30_000 })
    .toEqual([{ id: next, body: 'next' }]);
  await close();

  function rowsOf() {
    return db.many(
      row('message with its attempt', { id: text, sequence: bigint, body: text, attempt: text }),
      sql`
      select m.id, m.sequence, m.body, a.id as attempt from webhook_messages m
      join webhook_attempts a on a.owner = m.owner and a.message_id = m.id order by m.id`,
    );
  }
});

/** A folder with the migrations up to the one that begins to partition the tables. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(join(await runFolder(), 'migrations-'));
  const files = (await readdir(migrations.folder)).sort();
  const end = files.findIndex((file) => file.endsWith('_bound_messages.sql'));
  for (const file of files.slice(0, end)) {
    await cp(join(migrations.folder, file), join(folder, file));
  }
  return folder;
}
