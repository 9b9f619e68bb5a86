import { bigint, type Database, row, sql } from '@svc/db';

/**
 * Adds tenants whose eligibility is due to be checked and has changed, so that each check publishes
 * `tenant.eligibility_changed`.
 */
export async function addDueTenants(
  db: Database,
  { partnerId, count, prefix = 'due' }: { partnerId: string; count: number; prefix?: string },
): Promise<void> {
  await db.transaction(
    (tx) =>
      tx.run(sql`
        insert into tenant (id, partner_id, external_id, first_name, eligibility_state, created_at,
          updated_at, turns_at)
        select 'ten_' || ${prefix} || i, ${partnerId}, ${prefix} || '-' || i, 'Ada', 'cycle_closed',
          'epoch', 'epoch', 'epoch'
        from generate_series(1, ${count}::integer) i`),
    { timeoutMs: 600_000 },
  );
}

export async function countDueTenants(db: Database): Promise<number> {
  const { due } = await db.one(
    row('due tenants', { due: bigint }),
    sql`
    select count(*) as due from tenant where turns_at = 'epoch'`,
  );
  return due;
}
