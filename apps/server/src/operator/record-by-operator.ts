import type { Ctx } from '../context.ts';
import { type AuditEntry, recordAudit } from '../domain/audit/record.ts';

/** The person who runs a command, for the audit log. */
export interface Operator {
  /** The operating system's user. */
  readonly user: string;
  readonly reason?: string;
}

/** Writes the audit entry of an operator's command, in the transaction of its change. */
export async function recordByOperator(
  ctx: Pick<Ctx, 'tx' | 'now' | 'requestId' | 'address'>,
  { partnerId, user, reason }: Operator & { readonly partnerId: string },
  entry: AuditEntry,
): Promise<void> {
  const details = reason === undefined ? entry.details : { ...entry.details, reason };
  await recordAudit(
    ctx,
    { partnerId, via: 'cli', credentialId: user },
    { ...entry, ...(details && { details }) },
  );
}
