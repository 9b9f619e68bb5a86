import { type SettlementStatus, settlementStatuses } from '@svc/contract';
import { bigint, nullable, oneOf, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { staleAfterDays } from '../partners/operating-hours.ts';
import { addBankingDays } from '../tenants/banking-days.ts';
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
 * Moves the settlements of a payout, and emits their events. Settlements that no longer have a
 * status in `from` stay as they are, because a reset of the sandbox has ended them.
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
    returning s.id, target.tenant_id, target.external_id,
      target.clock_offset_ms, target.status as old_status`,
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

/** Assigns the settlements among a payout's lines to it, and postpones their days to the payout's if it is later. */
export async function giveToPayout(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, payoutId, day }: Pick<Move, 'partnerId' | 'payoutId'> & { readonly day: string },
): Promise<void> {
  await tx.run(sql`
    update settlement s set payout_id = ${payoutId}, version = s.version + 1, updated_at = ${now},
      debit_by = greatest(s.debit_by, ${day}::date),
      stale_after = greatest(s.stale_after, ${addBankingDays(day, staleAfterDays)}::date)
    from payout_line l
    where l.partner_id = ${partnerId} and l.payout_id = ${payoutId} and l.kind = 'settlement'
      and s.partner_id = l.partner_id and s.id = l.source_id`);
}

/** Detaches a plan's settlement from its payout, so that the next one does not carry it: nothing is owed anymore. */
export async function takeFromPayout(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, planId }: { readonly partnerId: string; readonly planId: string },
): Promise<void> {
  await tx.run(sql`
    update settlement set payout_id = null, version = version + 1, updated_at = ${now}
    where partner_id = ${partnerId} and plan_id = ${planId}`);
}
