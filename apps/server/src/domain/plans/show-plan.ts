import type { PlanOutput } from '@svc/contract';
import { instant, type Queryable, row, sql, text } from '@svc/db';
import { partnerOf } from '../operators/partner-of.ts';
import { defaultTermsVersion } from '../partners/terms.ts';
import { paymentsOf, type TenantPayment } from '../payments/list-payments.ts';
import { Refusal } from '../refusal.ts';
import { findPlan } from './read-plan.ts';

/** A plan with the payments made for it, for an operator who knows its id only. Names no person. */
export interface PlanWithPayments extends PlanOutput {
  readonly pms: string;
  readonly terms_version: string;
  /** Tenant time. */
  readonly accepted_at: string;
  /** Newest first. */
  readonly payments: readonly TenantPayment[];
}

const ownerRow = row('owner of a plan', {
  partnerId: text,
  tenantId: text,
  pms: text,
  termsVersion: text,
  acceptedAt: instant,
});

/** @throws Refusal `plan_not_found` */
export async function showPlan(
  q: Queryable,
  { plan_id: planId }: { readonly plan_id: string },
): Promise<PlanWithPayments> {
  const partnerId = await partnerOf(q, { subject: 'plan_id', id: planId });
  const owner = await q.maybe(
    ownerRow,
    sql`
    select p.partner_id, p.tenant_id, o.pms, coalesce(p.terms_version, ${defaultTermsVersion}) as terms_version,
      p.accepted_at
    from plan p join partner o on o.id = p.partner_id where p.partner_id = ${partnerId} and p.id = ${planId}`,
  );
  const plan = owner && (await findPlan(q, { partnerId: owner.partnerId, id: planId }));
  if (!plan) throw new Refusal('plan_not_found', { message: `There is no plan ${planId}.` });
  const { pms, termsVersion, acceptedAt } = owner;
  const { items } = await paymentsOf(q, owner, planId);
  return {
    ...plan,
    pms,
    terms_version: termsVersion,
    accepted_at: acceptedAt.toISOString(),
    payments: items,
  };
}
