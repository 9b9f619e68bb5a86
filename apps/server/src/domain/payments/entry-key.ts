import { type Sql, sql } from '@svc/db';

/** Suffix of the entry that gives money back to the tenant: of a won dispute, or of a late payment. */
export const returnSuffix = '#back';

/** Suffix of the entry of a refund that the bank refused. */
export const refusedSuffix = '#refused';

/** The expressions that name a plan in a larger statement, such as `p.partner_id` and `p.id`. */
export interface PlanColumns {
  readonly partnerId: Sql;
  readonly planId: Sql;
}

/** The `source_id`s of all transfers and processor entries of a plan, as a subquery. */
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
