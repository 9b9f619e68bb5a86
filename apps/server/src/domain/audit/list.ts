import type { AuditEntryOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';

interface Filter {
  readonly endpoint_id?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Newest first; the cursor is the last id shown. */
export async function listAudit(
  { tx }: Pick<Ctx, 'tx'>,
  partnerId: string,
  { endpoint_id, cursor, limit }: Filter,
): Promise<{ items: AuditEntryOutput[]; next_cursor: string | null }> {
  const ofEndpoint = endpoint_id === undefined ? sql`` : sql`and endpoint_id = ${endpoint_id}`;
  const older = cursor === undefined ? sql`` : sql`and id < ${cursor}`;
  const rows = await tx.many<Row>(sql`
    select id, action, occurred_at, via, credential_id, endpoint_id, subject_id, details, request_id
    from audit_entry where partner_id = ${partnerId} ${ofEndpoint} ${older}
    order by id desc limit ${limit + 1}`);
  const items = rows.slice(0, limit).map((row) => ({
    ...row,
    occurred_at: row.occurred_at.toISOString(),
  }));
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

type Row = Omit<AuditEntryOutput, 'occurred_at'> & { occurred_at: Date };
