import { bigint, type Queryable, row, type Sql, sql } from '@svc/db';
import { isOfAccount } from '../ledger/is-of-account.ts';
import { entryKeysOf, type PlanColumns } from '../payments/entry-key.ts';
import type { LivePlan } from './live-plan.ts';

const lossRow = row('loss', { lost: bigint });

/** Returns the cents of the plan that were charged off and not recovered since; 0 if it was not charged off. */
export async function lossToUndo(q: Queryable, plan: LivePlan): Promise<number> {
  if (plan.state !== 'charged_off') return 0;
  const loss = lossOf({ partnerId: sql`${plan.partnerId}`, planId: sql`${plan.id}` });
  const { lost } = await q.one(lossRow, sql`select (${loss}) as lost`);
  return lost;
}

/** Returns a subquery of a plan's loss, for statements that read more of the plan. */
export function lossOf(plan: PlanColumns): Sql {
  return sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8
    from ledger_transfer_source l
      join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
        and ${isOfAccount('credit_loss', plan)}
    where l.partner_id = ${plan.partnerId} and l.source_id in (
      select x.id from plan x where x.partner_id = ${plan.partnerId} and x.id = ${plan.planId}
      union all ${entryKeysOf(plan)})`;
}
