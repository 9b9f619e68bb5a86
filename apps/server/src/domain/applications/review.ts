import { sql, type Tx } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { localDate } from '../tenants/calendar.ts';
import { isSimulated, tenantTime } from '../tenants/time.ts';
import type { PolicyFacts } from '../underwriting/policy.ts';
import type { ReviewAnswer } from '../underwriting/review-answer.ts';
import { boundedDecision } from '../underwriting/review-answer.ts';
import { recordDecision } from './record-decision.ts';

export interface Review {
  readonly applicationId: string;
  readonly partnerId: string;
  readonly tenantId: string;
  readonly pms: string;
  readonly externalId: string;
  readonly rentCycleDate: string;
  readonly productVariant: 'rent' | 'hoa';
  readonly facts: PolicyFacts;
  readonly attempts: number;
}

// Seconds until it is asked again, from the start of each attempt; the last one repeats.
const retrySeconds = [30, 60, 300, 900];

/** Takes the reviews that are due and sets when each is due again, should nobody answer. */
export async function claimReviews(
  { tx, now }: { readonly tx: Tx; readonly now: Date },
  { limit }: { readonly limit: number },
): Promise<Review[]> {
  await tx.run(sql`
    delete from review r using application a
    where a.id = r.application_id and a.state <> 'in_review'`);
  return tx.many<Review>(sql`
    with due as (
      select application_id, attempts from review where due_at <= ${now}
      order by due_at limit ${limit} for update skip locked
    )
    update review r set attempts = r.attempts + 1,
      due_at = ${now}::timestamptz + interval '1 second'
        * (${retrySeconds}::integer[])[least(due.attempts + 1, ${retrySeconds.length})]
    from due, application a, tenant t, partner p
    where r.application_id = due.application_id and a.id = r.application_id
      and t.id = a.tenant_id and p.id = a.partner_id
    returning a.id as "applicationId", a.partner_id as "partnerId", a.tenant_id as "tenantId",
      p.pms, t.external_id as "externalId", a.rent_cycle_date as "rentCycleDate",
      a.product_variant as "productVariant", r.facts, r.attempts`);
}

/** What the service answered becomes the decision, unless the application is no longer in review. */
export async function concludeReview(
  ctx: UnitOfWork,
  review: Review,
  answer: ReviewAnswer,
): Promise<boolean> {
  const { partnerId, tenantId, pms, externalId, facts } = review;
  const snapshot = await loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: true });
  const application = snapshot?.application;
  if (application?.id !== review.applicationId || application.state !== 'in_review') return false;
  const decision = boundedDecision(answer);
  if (!decision) return false;
  const { tenant } = snapshot as NonNullable<typeof snapshot>;
  const at = tenantTime(tenant, ctx.now);
  await recordDecision(ctx, application, {
    decision,
    policyVersion: answer.policy_version,
    facts,
    simulated: false,
    at,
    today: localDate(at, tenant.timeZone),
    subject: { partnerId, pms, externalId, simulated: isSimulated(tenant), at },
  });
  await ctx.tx.run(sql`delete from review where application_id = ${application.id}`);
  await emitEligibility(ctx, review);
  return true;
}

/** Why it was not answered, for whoever operates the service. */
export async function noteFailure(tx: Tx, review: Review, failure: string): Promise<void> {
  await tx.run(sql`
    update review set last_failure = ${failure.slice(0, 300)}
    where application_id = ${review.applicationId}`);
}
