import { type Sql, sql } from '@svc/db';

/** Suffix of the entry that returns money won back in a dispute. */
export const returnSuffix = '#back';

/** The `source_id`s of all transfers and processor entries of a plan, as a subquery. */
export function entryKeysOf(planId: Sql): Sql {
  return sql`
    select y.id from payment y join installment i on i.id = y.installment_id
    where i.plan_id = ${planId}
    union all
    select f.id from refund f join settlement s on s.id = f.settlement_id
    where s.plan_id = ${planId}
    union all
    select v.id || w.ending from processor_event v join payment y on y.id = v.payment_id
      join installment i on i.id = y.installment_id,
      unnest(array['', ${returnSuffix}]) as w(ending)
    where i.plan_id = ${planId}`;
}
