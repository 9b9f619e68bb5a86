import type { ExperienceState } from '@svc/contract';
import { type Queryable, sql } from '@svc/db';
import { methodAsJson, type PaymentMethod } from '../payments/payment-methods.ts';
import type { TenantKey } from '../tenant-key.ts';
import { type AmountsInput, planAmounts } from './amounts.ts';
import { amountsInput } from './read-amounts.ts';

const most = 24;

interface Papers {
  /** The newest payment method. */
  readonly method: PaymentMethod | null;
  /** The plans that are over, newest first. */
  readonly past: ExperienceState['past_plans'];
  /** The oldest plan that a returned payment has reopened, beside the open plan. */
  readonly reopened: ExperienceState['reopened_plan'];
}

type Reopened = NonNullable<ExperienceState['reopened_plan']>;

interface Row extends Pick<Papers, 'method'> {
  readonly past: readonly (Omit<Papers['past'][number], 'amounts'> & { amounts: AmountsInput })[];
  readonly reopened: (Omit<Reopened, 'left_in_cents'> & { amounts: AmountsInput }) | null;
}

/** Reads the tenant's newest payment method and the plans beside the open one. */
export async function readPapers(
  q: Queryable,
  { partnerId, tenantId, openPlanId }: TenantKey & { readonly openPlanId: string | null },
): Promise<Papers> {
  const { method, past, reopened } = await q.one<Row>(sql`
    select (select ${methodAsJson} from payment_method m
        where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId}
        order by m.created_at desc, m.id desc limit 1) as method,
      coalesce((select json_agg(o) from (
        select p.id, p.state, p.rent_cycle_date,
          p.principal_in_cents as amount_financed_in_cents,
          p.principal_in_cents + p.fee_in_cents as total_of_payments_in_cents,
          ${amountsInput} as amounts,
          (select count(*) from installment i
            where i.partner_id = p.partner_id and i.plan_id = p.id) as installment_count
        from plan p
        where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId}
          and p.state in ('completed', 'canceled', 'charged_off')
        order by p.created_at desc, p.id desc limit ${most}) o), '[]') as past,
      (select json_build_object('id', p.id, 'rent_cycle_date', p.rent_cycle_date,
          'amounts', ${amountsInput}, 'installment_ids', (
            select json_agg(i.id order by i.number) from installment i
            where i.partner_id = p.partner_id and i.plan_id = p.id
              and i.state not in ('paid', 'canceled')))
        from plan p
        where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and p.reopened
          and p.state in ('active', 'past_due') and p.id <> ${openPlanId}
        order by p.id limit 1) as reopened`);
  return { method, past: past.map(withAmounts), reopened: reopened && viewReopened(reopened) };
}

function withAmounts(plan: Row['past'][number]): Papers['past'][number] {
  return { ...plan, amounts: planAmounts(plan.amounts) };
}

function viewReopened({ amounts, ...plan }: NonNullable<Row['reopened']>): Reopened {
  return { ...plan, left_in_cents: planAmounts(amounts).left_in_cents };
}
