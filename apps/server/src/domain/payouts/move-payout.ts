import {
  mayMove,
  type PayoutOutput,
  payoutTransitions,
  type SettlementStatus,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emitForPartner } from '../events/emit.ts';
import { type Entry, post, type TransferKind } from '../ledger/post.ts';
import { moveWithPayout } from '../settlements/move-with-payout.ts';
import type { TenantTime } from '../tenants/time.ts';
import { findPayout, type LockedPayout, payoutData } from './read.ts';

/** The outcome of a payout, reported by the rail, the operator or the portal. */
export type Outcome =
  | { readonly status: 'sent' | 'paid'; readonly reference?: string | undefined }
  | {
      readonly status: 'failed' | 'returned';
      readonly reason: string;
      readonly reference?: string | undefined;
    };

/** Returns whether the payout may move from its present state to the outcome. */
export function canMovePayout({ status }: LockedPayout, outcome: Outcome): boolean {
  return mayMove(payoutTransitions, status, outcome.status);
}

/**
 * Moves a locked payout to its next state, together with its settlements, the ledger and the events. A failed
 * or returned payout releases its lines, so that the next one carries them forward.
 */
export async function movePayout(
  uow: UnitOfWork,
  payout: LockedPayout & { readonly partnerId: string },
  outcome: Outcome,
): Promise<PayoutOutput> {
  const { tx, now } = uow;
  const { partnerId, pms, id, status: before } = payout;
  if (!canMovePayout(payout, outcome))
    throw new Error(`${id} is ${before} and cannot be ${outcome.status}`);
  const { status } = outcome;
  const reason = 'reason' in outcome ? outcome.reason : null;
  await tx.run(sql`
    update payout set status = ${status}, reference = coalesce(${outcome.reference ?? null}, reference),
      failure_reason = ${reason}, version = version + 1, updated_at = ${now},
      sent_at = coalesce(sent_at, case when ${status} in ('sent', 'paid') then ${now}::timestamptz end),
      paid_at = coalesce(paid_at, case when ${status} = 'paid' then ${now}::timestamptz end),
      ended_at = case when ${status} in ('failed', 'returned') then ${now}::timestamptz end,
      check_at = case when ${status} in ('failed', 'returned') then null else check_at end
    where partner_id = ${partnerId} and id = ${id}`);
  const isOver = status === 'failed' || status === 'returned';
  if (isOver) {
    await tx.run(sql`
      update payout_line set released = true where partner_id = ${partnerId} and payout_id = ${id}`);
  }
  const transfers = transfersOf(before, status, payout.amount_in_cents);
  if (transfers.length > 0) {
    await post(
      uow,
      transfers.map(([kind, entries]) => ({
        partnerId,
        tenantId: null,
        kind,
        sourceId: id,
        entries,
        // Portals have no simulated clock.
        occurredAt: now as TenantTime,
      })),
    );
  }
  await moveWithPayout(uow, {
    partnerId,
    pms,
    payoutId: id,
    ...settlementMoves[status],
    failureReason: reason,
  });
  const after = await findPayout(tx, { partnerId, id });
  const { version } = after;
  const data = payoutData(after);
  emitForPartner(uow, { partnerId, pms }, [
    isOver
      ? { type: `payout.${status}`, version, data: { ...data, failure_reason: reason ?? '' } }
      : { type: `payout.${status}`, version, data },
  ]);
  return after;
}

const settlementMoves: Readonly<
  Record<Outcome['status'], { from: readonly SettlementStatus[]; to: SettlementStatus }>
> = {
  sent: { from: ['unsettled'], to: 'unverified' },
  paid: { from: ['unsettled', 'unverified'], to: 'verified' },
  failed: { from: ['unsettled', 'unverified'], to: 'failed' },
  returned: { from: ['verified'], to: 'returned' },
};

/** Returns the transfers of a move. A payout on its way is in the clearing account until it arrives or fails. */
function transfersOf(
  before: PayoutOutput['status'],
  after: Outcome['status'],
  amountInCents: number,
): [TransferKind, Entry[]][] {
  const move = (debit: Entry['kind'], credit: Entry['kind']): Entry[] => [
    { kind: debit, amountInCents },
    { kind: credit, amountInCents: -amountInCents },
  ];
  const sent = move('partner_payable', 'settlement_clearing');
  switch (after) {
    case 'sent':
      return [['payout_sent', sent]];
    case 'paid': {
      const paid: [TransferKind, Entry[]] = ['payout_paid', move('settlement_clearing', 'cash')];
      return before === 'sent' ? [paid] : [['payout_sent', sent], paid];
    }
    case 'failed':
      return before === 'sent'
        ? [['payout_failed', move('settlement_clearing', 'partner_payable')]]
        : [];
    case 'returned':
      return [['payout_returned', move('cash', 'partner_payable')]];
  }
}
