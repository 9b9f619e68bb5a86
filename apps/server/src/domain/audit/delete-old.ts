import { bigint, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';

/** How long entries are kept: a year and a month, so that last year's changes can still be compared. */
export const auditKeptMs = 400 * 86_400_000;

const countRow = row('deleted entries', { count: bigint });

/**
 * Deletes the oldest entries past the age limit. Returns how many, at most `limit`. A function of the
 * database does it, because the service's role may be one that cannot delete entries.
 */
export async function deleteOldAudit(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { limit }: { limit: number },
): Promise<number> {
  const keptSince = new Date(now.getTime() - auditKeptMs);
  const { count } = await tx.one(
    countRow,
    sql`select audit_delete_expired(${keptSince}::timestamptz, ${limit}::integer) as count`,
  );
  return count;
}
