import { type SettlementStatus, settlementStatuses } from '@svc/contract';
import { bigint, nullable, oneOf, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { isSimulated, tenantTime } from '../tenants/time.ts';
import { readSettlementsOfPayout } from './read.ts';
import { eventsOf } from './update.ts';

interface Move {
  readonly partnerId: string;
  readonly pms: string;
  readonly payoutId: string;
  readonly from: readonly SettlementStatus[];
  readonly to: SettlementStatus;
  readonly failureReason?: string | null;
}

const movedRow = row('settlement that moved', {
  id: text,
  tenantId: text,
  externalId: text,
  clockOffsetMs: nullable(bigint),
  oldStatus: oneOf(...settlementStatuses),
});

/**
 * Moves the settlements of a payout, and emits their events. Those that have left the statuses `from`
 * stay: the sandbox's reset has ended them.
 */
export async function moveWithPayout(
  uow: UnitOfWork,
  { partnerId, pms, payoutId, from, to, failureReason = null }: Move,
): Promise<{ tenantId: string }[]> {
  const { tx, now } = uow;
  const moved = await tx.many(
    movedRow,
    sql`
    with target as (
      select s.id, s.status, t.id as tenant_id, t.external_id, t.clock_offset_ms
      from settlement s join tenant t on t.partner_id = s.partner_id and t.id = s.tenant_id
      where s.partner_id = ${partnerId} and s.payout_id = ${payoutId}
        and s.status = any(${from}::text[])
      -- In the order of every command that locks several tenants.
      order by t.partner_id, t.id, s.id for update of t, s
    )
    update settlement s set status = ${to}, failure_reason = ${failureReason},
      version = s.version + 1, updated_at = ${now}
    from target
    where s.partner_id = ${partnerId} and s.id = target.id
    returning s.id, target.tenant_id as "tenantId", target.external_id as "externalId",
      target.clock_offset_ms as "clockOffsetMs", target.status as "oldStatus"`,
  );
  if (moved.length === 0) return [];
  const after = await readSettlementsOfPayout({ ...uow, actor: { partnerId } }, payoutId);
  const byId = new Map(after.map((it) => [it.id, it]));
  for (const tenant of moved) {
    const settlement = byId.get(tenant.id);
    if (!settlement) throw new Error(`settlement ${tenant.id} left the payout ${payoutId}`);
    const { externalId, oldStatus } = tenant;
    const at = tenantTime(tenant, now);
    const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at };
    emit(uow, subject, eventsOf(oldStatus, settlement));
  }
  return moved;
}
