import type { OperatorRole } from '@svc/contract/operator';
import type { Ctx } from '../context.ts';
import { type AuditEntry, recordAudit } from '../domain/audit/record.ts';

/** The person who runs a command, for the audit log. */
export interface Operator {
  /** The operating system's user, or the person's name in the operator's console. */
  readonly user: string;
  /** The person's id in the operator's console; undefined on the command line. */
  readonly operatorId?: string;
  readonly reason?: string;
  /** The person's role in the console. The command line has the limits of an admin. */
  readonly role?: OperatorRole;
  /** The second person, who has approved the command. */
  readonly approvedBy?: string;
}

/** Writes the audit entry of an operator's command, in the transaction of its change. */
export async function recordByOperator(
  ctx: Pick<Ctx, 'tx' | 'now' | 'requestId' | 'address'>,
  { partnerId, user, operatorId, reason, approvedBy }: Operator & { readonly partnerId: string },
  entry: AuditEntry,
): Promise<void> {
  const operatorDetails = {
    ...(reason !== undefined && { reason }),
    ...(approvedBy !== undefined && { approved_by: approvedBy }),
  };
  const details =
    Object.keys(operatorDetails).length === 0
      ? entry.details
      : { ...entry.details, ...operatorDetails };
  await recordAudit(
    ctx,
    operatorId === undefined
      ? { partnerId, via: 'cli', credentialId: user }
      : { partnerId, via: 'operator', credentialId: operatorId },
    { ...entry, ...(details && { details }) },
  );
}
