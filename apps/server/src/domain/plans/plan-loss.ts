import { type Queryable, type Sql, sql } from '@svc/db';
import { entryKeysOf } from '../payments/entry-key.ts';
import type { LivePlan } from './live-plan.ts';

/** How much of the plan was charged off and not recovered since. */
export async function lossToUndo(q: Queryable, plan: LivePlan): Promise<number> {
  if (plan.state !== 'charged_off') return 0;
  const { lost } = await q.one<{ lost: number }>(sql`select (${lossOf(sql`${plan.id}`)}) as lost`);
  return lost;
}

/** That amount as a subquery, for statements that read more of the plan with this id. */
export function lossOf(planId: Sql): Sql {
  return sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8
    from ledger_transfer l join ledger_entry e on e.transfer_id = l.id
      join ledger_account a on a.id = e.account_id and a.kind = 'credit_loss'
    where l.source_id in (
      select ${planId} union all ${entryKeysOf(planId)})`;
}
