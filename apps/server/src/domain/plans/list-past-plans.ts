import type { ExperienceState } from '@svc/contract';
import { type Queryable, sql } from '@svc/db';

const most = 24;

/** The tenant's plans that are over, newest first. */
export async function listPastPlans(
  q: Queryable,
  tenantId: string,
): Promise<ExperienceState['past_plans']> {
  return q.many(sql`
    select p.id, p.state, p.rent_cycle_date, p.principal_in_cents as amount_financed_in_cents,
      p.principal_in_cents + p.fee_in_cents as total_of_payments_in_cents,
      (select count(*) from installment i where i.plan_id = p.id) as installment_count
    from plan p
    where p.tenant_id = ${tenantId} and p.state in ('completed', 'canceled', 'charged_off')
    order by p.created_at desc, p.id desc limit ${most}`);
}
