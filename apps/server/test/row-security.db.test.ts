import { bigint, type Database, type Queryable, raw, row, sql, type Tx, text } from '@svc/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueActions } from '../src/jobs/tenant-work.ts';
import { useService } from './harness.ts';
import { type Partner, withPlan } from './journeys/with-plan.ts';

// A trial of row-level security as a second barrier behind the keys. It is not switched on for the
// service; decision 009 says why.

const svc = await useService();
const role = `svc_app_${process.pid}`;
const tableRow = row('tenant-owned table', { name: text });
const countRow = row('count', { count: bigint });

let tables: readonly string[];
let partner: Partner;
let other: Partner;

beforeAll(async () => {
  partner = await svc.newPartner();
  other = await svc.newPartner();
  await withPlan(svc, partner, 't-own');
  await withPlan(svc, other, 't-other');
  const found = await svc.db.many(
    tableRow,
    sql`
    select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
      and a.attname = 'partner_id' and not a.attisdropped`,
  );
  tables = found.map((it) => it.name);
  // Policies do not apply to superusers and owners of a table, so the role is neither.
  await svc.db.run(raw(`create role ${role}`));
  await svc.db.run(raw(`grant usage on schema public to ${role}`));
  await svc.db.run(
    raw(`grant select, insert, update, delete on all tables in schema public to ${role}`),
  );
  for (const table of tables) {
    await svc.db.run(raw(`alter table ${table} enable row level security`));
    await svc.db.run(
      raw(`
      create policy own_partner on ${table} using (
        partner_id = current_setting('svc.partner_id', true)
        or current_setting('svc.all_partners', true) = 'on')`),
    );
  }
});

// Roles belong to the whole server, which other test files use too.
afterAll(async () => {
  await svc.db.run(raw(`drop owned by ${role}`));
  await svc.db.run(raw(`drop role ${role}`));
});

/** Runs `work` as the role, with these settings, and rolls back. */
async function asRole<T>(
  db: Database,
  settings: Readonly<Record<string, string>>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const rollback = new Error('rollback');
  let result: T | undefined;
  await db
    .transaction(async (tx) => {
      await tx.run(raw(`set local role ${role}`));
      for (const [name, value] of Object.entries(settings)) {
        await tx.run(sql`select set_config(${name}, ${value}, true)`);
      }
      result = await work(tx);
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return result as T;
}

async function counts(q: Queryable): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const table of tables) {
    const { count } = await q.one(countRow, raw(`select count(*) from ${table}`));
    all[table] = count;
  }
  return all;
}

test('a query without a partner returns no rows of any tenant-owned table', async () => {
  const filled = Object.entries(await counts(svc.db)).filter(([, count]) => count > 0);
  expect(filled.map(([table]) => table)).toEqual(
    expect.arrayContaining(['api_key', 'plan', 'installment', 'ledger_entry', 'settlement']),
  );
  const seen = await asRole(svc.db, {}, counts);
  expect(new Set(Object.values(seen))).toEqual(new Set([0]));
});

test('a query with a partner returns and changes the rows of that partner only', async () => {
  const settings = { 'svc.partner_id': partner.id };
  await asRole(svc.db, settings, async (q) => {
    const { count } = await q.one(countRow, sql`select count(*) from plan`);
    expect(count).toBe(1);
    expect(await q.run(sql`update plan set version = version + 1`)).toBe(1);
    const foreign = sql`update plan set version = version + 1 where partner_id = ${other.id}`;
    expect(await q.run(foreign)).toBe(0);
  });
  const moved = asRole(svc.db, settings, (q) =>
    q.run(sql`update plan set partner_id = ${other.id}`),
  );
  await expect(moved).rejects.toThrow('row-level security');
  const foreign = asRole(svc.db, settings, (q) =>
    q.run(sql`
      insert into test_preset (id, partner_id, name, event_type, body, saved_at)
      values ('tpr_1', ${other.id}, 'x', 'plan.created', '{}', ${svc.clock.now()})`),
  );
  await expect(foreign).rejects.toThrow('row-level security');
});

test('a job that works for all partners has to say so', async () => {
  const later = new Date(svc.clock.now().getTime() + 90 * 86_400_000);
  const claim = (settings: Record<string, string>) =>
    asRole(svc.db, settings, (tx) => dueActions.claim({ tx, now: later }, 10));
  expect(await claim({})).toEqual([]);
  const claimed = await claim({ 'svc.all_partners': 'on' });
  expect(new Set(claimed.map((it) => it.partnerId))).toEqual(new Set([partner.id, other.id]));
});
