import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { type AuditEntry, installation, recordAudit } from '../audit/record.ts';

/**
 * Writes the audit entry of something that an operator did in the console, in the transaction of the
 * change. Without `partnerId`, no partner sees it.
 */
export async function recordOperatorAction(
  ctx: Pick<Ctx, 'tx' | 'now' | 'requestId' | 'address'>,
  { operatorId }: Pick<OperatorActor, 'operatorId'>,
  { partnerId = installation, ...entry }: AuditEntry & { readonly partnerId?: string },
): Promise<void> {
  await recordAudit(ctx, { partnerId, via: 'operator', credentialId: operatorId }, entry);
}
