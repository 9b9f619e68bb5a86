import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';

/** A year and a month: last year's changes can still be compared. */
export const auditKeptMs = 400 * 86_400_000;

/** Deletes the oldest entries past the age limit. Returns how many, at most `limit`. */
export async function deleteOldAudit(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { limit }: { limit: number },
): Promise<number> {
  const keptSince = new Date(now.getTime() - auditKeptMs);
  await tx.run(sql`
    select set_config('svc.audit_kept_since', ${keptSince.toISOString()}, true)`);
  return tx.run(sql`
    /* all partners */
    delete from audit_entry where (partner_id, id) in (
      select partner_id, id from audit_entry where occurred_at < ${keptSince}
      order by occurred_at limit ${limit})`);
}
