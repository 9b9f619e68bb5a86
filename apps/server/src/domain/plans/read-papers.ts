import { type ExperienceState, pastPlan } from '@svc/contract';
import {
  boolean,
  json,
  nullable,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import {
  methodAsJson,
  type PaymentMethod,
  paymentMethodSchema,
} from '../payments/payment-methods.ts';
import type { TenantKey } from '../tenant-key.ts';
import { amountsSchema, planAmounts } from './amounts.ts';
import { amountsInput } from './read-amounts.ts';

const maxPastPlans = 24;

interface Papers {
  /** The newest payment method. */
  readonly method: PaymentMethod | null;
  /** True if the tenant had an account or card before the application or, without an application, has one now. */
  readonly hadAccount: boolean;
  /** The plans that are over, newest first. */
  readonly past: ExperienceState['past_plans'];
  /** The oldest plan that a returned payment has reopened while another plan is open. */
  readonly reopened: ExperienceState['reopened_plan'];
  /** A charge that the card's bank makes only after the tenant has confirmed it. */
  readonly unconfirmed: ExperienceState['confirmation'];
  /** The newest visit to the processor's page, unless it is known how it ended. */
  readonly openSetupId: string | null;
}

type Reopened = NonNullable<Papers['reopened']>;

const reopenedSchema = z.object({
  id: z.string(),
  rent_cycle_date: z.string(),
  amounts: amountsSchema,
  installment_ids: z.array(z.string()),
});

const unconfirmedSchema = z.object({ payment_id: z.string(), amount_in_cents: z.int() });

const papersRow = row('papers', {
  method: nullable(json(paymentMethodSchema)),
  hadAccount: boolean,
  unconfirmed: nullable(json(unconfirmedSchema)),
  openSetupId: nullable(text),
  past: json(z.array(pastPlan.extend({ amounts: amountsSchema })).readonly()),
  reopened: nullable(json(reopenedSchema)),
});
type PapersRow = RowOf<typeof papersRow>;

interface OpenIds {
  /** True if the tenant has had a plan other than the open one. Most have not, and reading them is most of the work. */
  readonly hasOtherPlans: boolean;
  readonly openPlanId: string | null;
  /** The application of the current rent cycle. Null to ask about accounts as of now. */
  readonly applicationId: string | null;
}

/**
 * Reads the tenant's newest payment method, its plans other than the open one, the charge that waits for the
 * tenant's confirmation, and the open visit to the processor's page.
 */
export async function readPapers(
  q: Queryable,
  { partnerId, tenantId, hasOtherPlans, openPlanId, applicationId }: TenantKey & OpenIds,
): Promise<Papers> {
  const plans = hasOtherPlans ? otherPlans({ partnerId, tenantId, openPlanId }) : noPlans;
  const { past, reopened, ...papers } = await q.one(
    papersRow,
    sql`
    select (select ${methodAsJson} from payment_method m
        where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId}
        order by m.created_at desc, m.id desc limit 1) as method,
      exists (select from payment_method m
        where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId}
          and m.created_at < coalesce((select a.created_at from application a
            where a.partner_id = ${partnerId} and a.id = ${applicationId}), 'infinity')) as had_account,
      (select json_build_object('payment_id', c.key, 'amount_in_cents', c.amount_in_cents)
        from processor_call c
        where c.partner_id = ${partnerId} and c.tenant_id = ${tenantId} and c.kind = 'charge'
          and c.state not in ('succeeded', 'failed') and c.state = 'requires_action'
          and not c.cancel_wanted
        order by c.key limit 1) as unconfirmed,
      (select case when s.state = 'open' then s.id end from payment_setup s
        where s.partner_id = ${partnerId} and s.tenant_id = ${tenantId}
        order by s.created_at desc, s.id desc limit 1) as open_setup_id,
      ${plans}`,
  );
  return {
    ...papers,
    past: past.map(withAmounts),
    reopened: reopened && viewReopened(reopened),
  };
}

const noPlans = sql`'[]'::json as past, null::json as reopened`;

function otherPlans({
  partnerId,
  tenantId,
  openPlanId,
}: TenantKey & Pick<OpenIds, 'openPlanId'>): Sql {
  return sql`
      coalesce((select json_agg(o) from (
        select p.id, p.state, p.rent_cycle_date,
          p.principal_in_cents as amount_financed_in_cents,
          p.principal_in_cents + p.fee_in_cents as total_of_payments_in_cents,
          ${amountsInput(partnerId)} as amounts,
          (select count(*) from installment i
            where i.partner_id = ${partnerId} and i.plan_id = p.id) as installment_count
        from plan p
        where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId}
          and p.state in ('completed', 'canceled', 'charged_off')
        order by p.created_at desc, p.id desc limit ${maxPastPlans}) o), '[]') as past,
      (select json_build_object('id', p.id, 'rent_cycle_date', p.rent_cycle_date,
          'amounts', ${amountsInput(partnerId)}, 'installment_ids', (
            select json_agg(i.id order by i.number) from installment i
            where i.partner_id = ${partnerId} and i.plan_id = p.id
              and i.state not in ('paid', 'canceled')))
        from plan p
        where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and p.reopened
          and p.state in ('active', 'past_due') and p.id <> ${openPlanId}
        order by p.id limit 1) as reopened`;
}

function withAmounts(plan: PapersRow['past'][number]): Papers['past'][number] {
  return { ...plan, amounts: planAmounts(plan.amounts) };
}

function viewReopened({ amounts, ...plan }: NonNullable<PapersRow['reopened']>): Reopened {
  return { ...plan, left_in_cents: planAmounts(amounts).left_in_cents };
}
