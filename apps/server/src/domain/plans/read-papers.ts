import type { ExperienceState } from '@svc/contract';
import { type Queryable, sql } from '@svc/db';
import { methodAsJson, type PaymentMethod } from './payment/payment-methods.ts';

const most = 24;

interface Papers {
  /** The one added last. */
  readonly method: PaymentMethod | null;
  /** The plans that are over, newest first. */
  readonly past: ExperienceState['past_plans'];
  /** Open again beside the open plan; the oldest first. */
  readonly reopened: ExperienceState['reopened_plan'];
}

/** What the tenant has with us beside an open plan. */
export async function readPapers(
  q: Queryable,
  { tenantId, openPlanId }: { readonly tenantId: string; readonly openPlanId: string | null },
): Promise<Papers> {
  return q.one<Papers>(sql`
    select (select ${methodAsJson} from payment_method m where m.tenant_id = ${tenantId}
        order by m.created_at desc, m.id desc limit 1) as method,
      coalesce((select json_agg(o) from (
        select p.id, p.state, p.rent_cycle_date,
          p.principal_in_cents as amount_financed_in_cents,
          p.principal_in_cents + p.fee_in_cents as total_of_payments_in_cents,
          (select count(*) from installment i where i.plan_id = p.id) as installment_count
        from plan p
        where p.tenant_id = ${tenantId} and p.state in ('completed', 'canceled', 'charged_off')
        order by p.created_at desc, p.id desc limit ${most}) o), '[]') as past,
      (select json_build_object('id', p.id, 'rent_cycle_date', p.rent_cycle_date,
          'left_in_cents', sum(i.amount_in_cents), 'installment_ids', json_agg(i.id))
        from plan p join installment i on i.plan_id = p.id
        where p.tenant_id = ${tenantId} and p.reopened and p.state in ('active', 'past_due')
          and p.id <> ${openPlanId} and i.state not in ('paid', 'canceled')
        group by p.id order by p.id limit 1) as reopened`);
}
