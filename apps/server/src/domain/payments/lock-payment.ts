import { bigint, nullable, oneOf, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { partnerOf } from '../operators/partner-of.ts';
import { Refusal } from '../refusal.ts';

const ownerRow = row('owner of a payment', { partnerId: text, tenantId: text });

const paymentRow = row('locked payment', {
  id: text,
  partnerId: text,
  tenantId: text,
  clockOffsetMs: nullable(bigint),
  planId: text,
  methodId: text,
  methodType: oneOf('bank_account', 'card'),
  amountInCents: bigint,
  outcome: oneOf('pending', 'succeeded', 'failed', 'canceled', 'returned'),
  returnCode: nullable(text),
  /** The processor that took the payment; null for a payment from before calls were stored. */
  processor: nullable(text),
});
export type LockedPayment = RowOf<typeof paymentRow>;

/**
 * Finds a payment for an operator's command and locks its tenant, as every change of a plan does.
 * @throws Refusal `not_found`
 */
export async function lockPayment(q: Queryable, id: string): Promise<LockedPayment> {
  const partnerId = await partnerOf(q, { subject: 'payment_id', id });
  const owner = await q.maybe(
    ownerRow,
    sql`
    select p.partner_id, p.tenant_id
    from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    where y.partner_id = ${partnerId} and y.id = ${id}`,
  );
  if (!owner) throw new Refusal('not_found', { message: `There is no payment ${id}.` });
  await q.run(sql`
    select from tenant where partner_id = ${owner.partnerId} and id = ${owner.tenantId} for update`);
  // Another statement, because one that waited for the lock may return rows from before it waited.
  return q.one(
    paymentRow,
    sql`
    select y.id, p.partner_id, p.tenant_id,
      t.clock_offset_ms, p.id as plan_id, m.id as method_id,
      m.type as method_type, y.amount_in_cents, y.outcome,
      y.return_code, c.processor
    from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
      join payment_method m on m.partner_id = p.partner_id
        and m.id = coalesce(y.payment_method_id, p.payment_method_id)
      left join processor_call c on c.partner_id = y.partner_id and c.key = y.id
        and c.kind = 'charge'
    where y.partner_id = ${owner.partnerId} and y.id = ${id}`,
  );
}
