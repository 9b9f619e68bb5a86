import type { AuditEntryOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';

export interface AuditEntry {
  readonly action: AuditEntryOutput['action'];
  readonly endpoint_id?: string;
  readonly subject_id?: string;
  /** Never a secret, nor a value that could hold one. */
  readonly details?: AuditEntryOutput['details'];
}

/** Whose entry it is, and by which credentials it was done. */
export interface AuditedBy {
  readonly partnerId: string;
  readonly via: 'key' | 'portal';
  readonly credentialId: string;
}

/** Beside what it tells of, in the same transaction: neither is there without the other. */
export async function recordAudit(
  { tx, now, requestId }: Pick<Ctx, 'tx' | 'now' | 'requestId'>,
  by: AuditedBy,
  entry: AuditEntry,
): Promise<void> {
  await tx.run(sql`
    insert into audit_entry (id, partner_id, action, via, credential_id, endpoint_id, subject_id,
      details, request_id, occurred_at)
    values (${newId('aud', now)}, ${by.partnerId}, ${entry.action}, ${by.via}, ${by.credentialId},
      ${entry.endpoint_id ?? null}, ${entry.subject_id ?? null},
      ${JSON.stringify(entry.details ?? {})}::jsonb, ${requestId}, ${now}::timestamptz)`);
}
