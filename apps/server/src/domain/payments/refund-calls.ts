import { bigint, type RowOf, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { isOfAccount } from '../ledger/is-of-account.ts';
import { insertCalls, type NewCall } from './calls.ts';
import { beyondSuffix } from './entry-key.ts';

const chargeRow = row('charge to refund', {
  paymentId: text,
  methodId: text,
  /** The cents that were not refunded yet. */
  left: bigint,
});
type Charge = RowOf<typeof chargeRow>;

interface RefundIntent {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly planId: string;
  /** The cause of the refund: a refund of the portal, a dispute, or a reversal. */
  readonly sourceId: string;
  readonly amountInCents: number;
  /** The only payment to refund. Without it, the plan's payments are refunded, newest first. */
  readonly paymentId?: string;
}

/**
 * Writes the refunds that give an amount back to the tenant, one for each charge that it comes from. A
 * job sends them. Returns the cents for which no charge was found.
 */
export async function requestRefunds(uow: UnitOfWork, refund: RefundIntent): Promise<number> {
  let left = refund.amountInCents;
  const calls: NewCall[] = [];
  for (const charge of await chargesToRefund(uow, refund)) {
    const amountInCents = Math.min(left, charge.left);
    if (amountInCents <= 0) continue;
    const { partnerId, tenantId, sourceId } = refund;
    const { paymentId, methodId } = charge;
    // The charge in the key keeps it unique, and the same if the command is repeated.
    const key = `${sourceId}.${paymentId}`;
    calls.push({
      key,
      partnerId,
      tenantId,
      paymentId,
      methodId,
      sourceId,
      amountInCents,
      kind: 'refund',
      occasion: null,
      partState: null,
      state: 'created',
    });
    left -= amountInCents;
  }
  if (calls.length > 0) uow.tx.send(insertCalls(uow, calls));
  return left;
}

/** Returns the cents of one payment that were not refunded yet. The tenant's row is locked. */
export async function centsToRefund(
  uow: Pick<UnitOfWork, 'tx'>,
  of: Required<Pick<RefundIntent, 'partnerId' | 'planId' | 'paymentId'>>,
): Promise<number> {
  const charges = await chargesToRefund(uow, of);
  return charges.reduce((sum, it) => sum + it.left, 0);
}

/** Reads the charges whose money we have, without what banks have taken back and we did not win. */
function chargesToRefund(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, planId, paymentId }: Pick<RefundIntent, 'partnerId' | 'planId' | 'paymentId'>,
): Promise<Charge[]> {
  const which =
    paymentId === undefined
      ? sql`and y.outcome in ('succeeded', 'returned')`
      : sql`and y.id = ${paymentId}`;
  return tx.many(
    chargeRow,
    sql`
    select y.id as payment_id, coalesce(y.payment_method_id, p.payment_method_id) as method_id,
      y.amount_in_cents - coalesce((select sum(c.amount_in_cents) from processor_call c
        where c.partner_id = ${partnerId} and c.payment_id = y.id and c.kind = 'refund'
          and c.state <> 'failed'), 0)::int8
        - coalesce((select -sum(e.amount_in_cents) from processor_event v
          join ledger_transfer_source l on l.partner_id = v.partner_id
            and l.source_id in (v.id, v.id || ${beyondSuffix})
            and l.kind in ('payment_taken_back', 'payment_won')
          join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
            and ${isOfAccount('processor_clearing', { partnerId: sql`${partnerId}` })}
          where v.partner_id = ${partnerId} and v.payment_id = y.id), 0)::int8 as left
    from payment y
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
    where i.partner_id = ${partnerId} and i.plan_id = ${planId} ${which}
    order by y.id desc`,
  );
}
