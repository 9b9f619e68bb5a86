import { type Sql, sql } from '@svc/db';

/** What the bank gave again and is owed no more: its way back is filed under its own id with this. */
export const returnSuffix = '#back';

/** Under what the money of a plan's payments, refunds and disputes is filed, an id in each row. */
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
