import type { AuditEntryOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { ProcessorKind } from '../../processor-kinds.ts';

/**
 * Actions of the operator about the whole installation. Their entries are in a chain of the operator,
 * and no partner sees them.
 */
export const operatorActions = [
  'account.corrected',
  'approval.approved',
  'approval.bypassed',
  'approval.refused',
  'approval.requested',
  'bank.added',
  'bank_file.downloaded',
  'bank_file.handed_in',
  'books.adjusted',
  'books.assigned',
  'books.closed',
  'books.matched',
  'books.reconciled',
  'books.reopened',
  'books.unmatched',
  'books.written_off',
  'demo.filled',
  'mails.resent',
  'money.stopped',
  'money.started',
  'outbox.dropped',
  'outbox.retried',
  'agreement.read',
  'lending.confirmed',
  'lending.set',
  'operator.account_bound',
  'operator.email_changed',
  'operator.ended',
  'operator.enrolled',
  'operator.invited',
  'operator.passkey_removed',
  'operator.refused',
  'operator.role_changed',
  'operator.session_closed',
  'operator.session_ended',
  'operator.session_opened',
  'queue.released',
  'queue.snoozed',
  'queue.taken',
  'review.decided',
  'review.released',
  'review.taken',
  'schema.granted',
  'schema.partitioned',
  'schema.distributed',
  'schema.rebalanced',
  'schema.migrated',
  'statement.imported',
  'statement.replaced',
  'tenant.unmasked',
  'tenant.viewed',
  'tenants.indexed',
  'tenants.sealed',
  'terms.applied',
  'vault.rotated',
] as const;

/** The `partnerId` of entries in the operator's chain, which belongs to no partner. */
export const installation = 'operator';

export interface AuditEntry {
  readonly action:
    | AuditEntryOutput['action']
    | (typeof operatorActions)[number]
    | ProcessorKind<'auditAction'>;
  readonly endpoint_id?: string;
  readonly subject_id?: string;
  /** Never a secret, nor a value that could hold one. */
  readonly details?: AuditEntryOutput['details'];
}

/** The partner that can read the entry, and the credentials that were used. */
interface AuditedBy {
  /** `installation` for an entry that no partner can read. */
  readonly partnerId: string;
  /** `operator` for a person in the operator's console. `bank` in the operator's chain only: a file of a bank. */
  readonly via: AuditEntryOutput['via'] | 'operator' | 'bank';
  /**
   * The id of the key, the console session or the operator. For the command line, the operating system's user; for a
   * bank, the processor.
   */
  readonly credentialId: string;
}

/** Writes an entry in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(
  { tx, now, requestId, address }: Pick<Ctx, 'tx' | 'now' | 'requestId' | 'address'>,
  by: AuditedBy,
  entry: AuditEntry,
): Promise<void> {
  await tx.run(sql`
    insert into audit_entry (id, partner_id, action, via, credential_id, endpoint_id, subject_id,
      details, request_id, address, occurred_at)
    values (${newId('aud', now)}, ${by.partnerId}, ${entry.action}, ${by.via}, ${by.credentialId},
      ${entry.endpoint_id ?? null}, ${entry.subject_id ?? null},
      ${JSON.stringify(entry.details ?? {})}::jsonb, ${requestId}, ${address}::text, ${now}::timestamptz)`);
}
