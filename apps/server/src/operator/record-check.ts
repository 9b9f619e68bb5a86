import { type Database, DatabaseUnreachable, isOutage, sql } from '@svc/db';

/**
 * The name of something that has to be done regularly. Alerts watch the age of its last run, and the faults that it
 * found.
 */
type CheckName = 'ledger' | 'audit' | 'backup';

interface Databases {
  readonly commands: { readonly db: Database };
  /** Opens the primary. Set only if `commands.db` is a replica. */
  readonly openPrimary?: () => Promise<{ readonly db: Database; close(): Promise<void> }>;
}

/**
 * Records that a check has run. If the report was read from a replica and the primary cannot be used, nothing is
 * recorded. The alert on the age of the last run then fires, as it should.
 */
export async function recordCheck(
  { commands, openPrimary }: Databases,
  name: CheckName,
  { now, faults }: { readonly now: Date; readonly faults: number },
): Promise<void> {
  if (!openPrimary) return save(commands.db, name, { now, faults });
  try {
    const primary = await openPrimary();
    await save(primary.db, name, { now, faults }).finally(() => primary.close());
  } catch (error) {
    if (!(error instanceof DatabaseUnreachable || isOutage(error))) throw error;
  }
}

async function save(
  db: Database,
  name: CheckName,
  { now, faults }: { readonly now: Date; readonly faults: number },
): Promise<void> {
  await db.run(sql`
    insert into operator_check (name, checked_at, faults) values (${name}, ${now}, ${faults})
    on conflict (name) do update set checked_at = excluded.checked_at, faults = excluded.faults`);
}
