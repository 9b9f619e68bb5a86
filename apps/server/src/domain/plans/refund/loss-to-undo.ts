import { type Queryable, type Sql, sql } from '@svc/db';
import type { LivePlan } from '../life/live-plan.ts';

/** What of the plan was written off and has not come back since. */
export async function lossToUndo(q: Queryable, plan: LivePlan): Promise<number> {
  if (plan.state !== 'charged_off') return 0;
  const { lost } = await q.one<{ lost: number }>(sql`select (${lossOf(sql`${plan.id}`)}) as lost`);
  return lost;
}

/** The same of the plan with this id, for a statement that reads more. */
export function lossOf(planId: Sql): Sql {
  return sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8
    from ledger_transfer l join ledger_entry e on e.transfer_id = l.id
      join ledger_account a on a.id = e.account_id and a.kind = 'credit_loss'
    where l.source_id in (
      select ${planId} union all
      select r.id from refund r join settlement s on s.id = r.settlement_id
      where s.plan_id = ${planId} union all
      select v.id from processor_event v join payment y on y.id = v.payment_id
        join installment i on i.id = y.installment_id
      where i.plan_id = ${planId})`;
}
