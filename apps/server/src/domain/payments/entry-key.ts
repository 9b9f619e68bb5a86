import { type Sql, sql } from '@svc/db';

/** Suffix of the entry that gives money back to the tenant: of a won dispute, or of a late payment. */
export const returnSuffix = '#back';

/** Suffix of the entry of a refund that the bank refused. */
export const refusedSuffix = '#refused';

/** Suffix of the entry of money that a bank moved beyond the payment: our loss, or the part that we got back. */
export const beyondSuffix = '#beyond';

/** The expressions that name a plan in a larger statement, such as `p.partner_id` and `p.id`. */
export interface PlanColumns {
  readonly partnerId: Sql;
  readonly planId: Sql;
}

/**
 * Returns the `source_id`s of a plan's transfers and processor entries, as a subquery: those that change the
 * debt or the loss. See `allEntryKeysOf` for the rest.
 */
export function entryKeysOf({ partnerId, planId }: PlanColumns): Sql {
  return sql`
    select y.id || w.ending from payment y
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id,
      unnest(array['', ${returnSuffix}]) as w(ending)
    where i.partner_id = ${partnerId} and i.plan_id = ${planId}
    union all
    select f.id from refund f
      join settlement s on s.partner_id = f.partner_id and s.id = f.settlement_id
    where s.partner_id = ${partnerId} and s.plan_id = ${planId}
    union all
    select c.key || ${refusedSuffix} from processor_call c
      join payment y on y.partner_id = c.partner_id and y.id = c.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.partner_id = ${partnerId} and i.plan_id = ${planId} and c.state = 'failed'
      and c.kind = 'refund'
    union all
    select v.id || w.ending from processor_event v
      join payment y on y.partner_id = v.partner_id and y.id = v.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id,
      unnest(array['', ${returnSuffix}]) as w(ending)
    where i.partner_id = ${partnerId} and i.plan_id = ${planId}`;
}

/**
 * Returns the keys of `entryKeysOf` and those of entries that are our loss and no tenant's debt: payments that an
 * operator gave back, and money that banks took beyond a payment.
 */
export function allEntryKeysOf({ partnerId, planId }: PlanColumns): Sql {
  return sql`
    ${entryKeysOf({ partnerId, planId })}
    union all
    select v.id || ${beyondSuffix} from processor_event v
      join payment y on y.partner_id = v.partner_id and y.id = v.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.partner_id = ${partnerId} and i.plan_id = ${planId}
    union all
    select c.source_id from processor_call c
      join payment y on y.partner_id = c.partner_id and y.id = c.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.partner_id = ${partnerId} and i.plan_id = ${planId} and c.kind = 'refund'
      and starts_with(c.source_id, 'prf_')`;
}
