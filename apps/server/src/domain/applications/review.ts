import { productVariants } from '@svc/contract';
import {
  bytes,
  date,
  integer,
  json,
  nullable,
  oneOf,
  type RowOf,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { z } from 'zod';
import { findClaimCondition } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { areRows } from '../partner-of-rows.ts';
import type { Terms } from '../partners/terms.ts';
import { localDate } from '../tenants/calendar.ts';
import { storedPersonal, storedPersonalSchema } from '../tenants/personal-data.ts';
import type { Lease } from '../tenants/tenant.ts';
import { isSimulated } from '../tenants/time.ts';
import { sealDetails } from '../underwriting/decline-details.ts';
import { type PolicyDecision, policyFacts } from '../underwriting/policy.ts';
import { boundedDecision, type ReviewAnswer } from '../underwriting/review-answer.ts';
import { neverDueAt } from './ask-for-review.ts';
import { recordDecision } from './record-decision.ts';

const tenantLease = nullable(json(z.custom<Lease>((value) => typeof value === 'object')));

export const reviewRow = row('review', {
  applicationId: text,
  partnerId: text,
  tenantId: text,
  pms: text,
  externalId: text,
  rentCycleDate: date,
  productVariant: oneOf(...productVariants),
  facts: json(policyFacts),
  personal: json(storedPersonalSchema),
  lease: tenantLease,
  dateOfBirthSealed: bytes,
  ssnSealed: nullable(bytes),
  /** The sources of the service's last answer, if it left the application in review. */
  detailsSealed: nullable(bytes),
  attempts: integer,
});

/** The columns of `reviewRow`, of a review `r`, its application `a`, its tenant `t` and its partner `p`. */
export const reviewColumns = sql`a.id as application_id, a.partner_id, a.tenant_id, p.pms, t.external_id,
      a.rent_cycle_date, a.product_variant, r.facts, r.details_sealed, r.attempts,
      ${storedPersonal} as personal, t.lease, a.date_of_birth_sealed, a.ssn_sealed`;

/** A question to the operator's decision service. */
export type Review = RowOf<typeof reviewRow>;

const claimedRow = row('claimed review', { partnerId: text, id: text });

// Seconds until the next attempt, from the start of each attempt. The last one repeats.
const retrySeconds = [30, 60, 300, 900];

/** Claims reviews that are due, and sets when each is due again if there is no answer. */
export async function claimReviews(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { limit }: { readonly limit: number },
): Promise<Review[]> {
  await tx.run(sql`
    /* many rows: all reviews that wait */
    /* all partners */
    delete from review r using application a
    where a.partner_id = r.partner_id and a.id = r.application_id and a.state <> 'in_review'`);
  const isDue = sql`/* all partners */ from review d where d.due_at <= ${now}`;
  const among = await findClaimCondition(tx, { of: 'd', due: isDue });
  if (!among) return [];
  const claimed = await tx.many(
    claimedRow,
    sql`
    /* all partners */
    update review d set attempts = d.attempts + 1,
      -- A cluster refuses to add an interval in an update, because that depends on the session's zone.
      due_at = to_timestamp(${now.getTime() / 1000}::float8
        + (${retrySeconds}::integer[])[least(d.attempts + 1, ${retrySeconds.length})])
    where ${among('d')} and d.ctid = any(array(
      select d.ctid ${isDue} and ${among('d')} order by d.due_at limit ${limit}
      for update skip locked))
    returning d.partner_id, d.application_id as id`,
  );
  return claimed.length === 0 ? [] : loadReviews(tx, claimed);
}

/** Finds the question about one application, for a person or a scenario that answers it. */
export async function findReview(
  { tx }: { readonly tx: Tx },
  { partnerId, applicationId }: Pick<Review, 'partnerId' | 'applicationId'>,
): Promise<Review | undefined> {
  const [review] = await loadReviews(tx, [{ partnerId, id: applicationId }]);
  return review;
}

function loadReviews(
  tx: Tx,
  applications: readonly { readonly partnerId: string; readonly id: string }[],
): Promise<Review[]> {
  return tx.many(
    reviewRow,
    sql`
    select ${reviewColumns}
    from review r join application a on a.partner_id = r.partner_id and a.id = r.application_id
      join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
      join partner p on p.id = a.partner_id
    where ${areRows([sql`r.partner_id`, sql`r.application_id`], applications)}`,
  );
}

/** Keeps the job from asking the operator's decision service. */
export async function holdReview(
  { tx }: { readonly tx: Tx },
  { partnerId, applicationId }: Pick<Review, 'partnerId' | 'applicationId'>,
): Promise<void> {
  await tx.run(sql`
    update review set due_at = ${neverDueAt}
    where partner_id = ${partnerId} and application_id = ${applicationId}`);
}

/** Records the answer of the service or of a person as the decision. */
export async function concludeReview(
  ctx: UnitOfWork,
  review: Review,
  answer: ReviewAnswer,
): Promise<Concluded> {
  const concluded = await decideInReview(ctx, review, {
    policyVersion: answer.policy_version,
    decide: ({ maximumInCents }) => boundedDecision(answer, maximumInCents),
  });
  // `decideInReview` has locked the tenant's row.
  if (answer.outcome === 'in_review') await keepFindings(ctx, review, answer);
  return concluded;
}

/**
 * The result of an attempt to decide an application in review. `not_decided`: there is no decision yet, or the
 * application is no longer in review. `not_looked_up`: an approval is refused until it is known whether the Military
 * Lending Act covers the tenant.
 */
type Concluded = 'decided' | 'not_decided' | 'not_looked_up';

interface Conclusion {
  readonly policyVersion: string;
  /** Null if there is no decision yet. */
  decide(terms: Terms): PolicyDecision | null;
  readonly mayReapplyAtOnce?: boolean;
}

/** Decides the application unless it is no longer in review. */
export async function decideInReview(
  ctx: UnitOfWork,
  review: Review,
  { policyVersion, decide, mayReapplyAtOnce = false }: Conclusion,
): Promise<Concluded> {
  const { partnerId, tenantId, pms, externalId, facts } = review;
  const snapshot = await loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: true });
  const application = snapshot?.application;
  if (!snapshot || application?.id !== review.applicationId || application.state !== 'in_review')
    return 'not_decided';
  const { tenant } = snapshot;
  const { at, terms } = positionOf(snapshot, ctx);
  const decision = decide(terms);
  if (!decision) return 'not_decided';
  const isCovered = decision.military_covered ?? application.militaryCovered;
  if (ctx.service.needsMilitaryLookup && decision.outcome === 'approved' && isCovered === null) {
    return 'not_looked_up';
  }
  await recordDecision(ctx, application, {
    decision,
    policyVersion,
    facts,
    simulated: false,
    mayReapplyAtOnce,
    terms,
    at,
    today: localDate(at, tenant.timeZone),
    subject: { partnerId, pms, externalId, simulated: isSimulated(tenant), at },
  });
  await ctx.tx.run(sql`
    delete from review where partner_id = ${partnerId} and application_id = ${application.id}`);
  await emitEligibility(ctx, review);
  return 'decided';
}

/**
 * Stores the decision service's findings for the person who decides: the military coverage, which binds an approval,
 * and the sources that a decline notice names.
 */
async function keepFindings(
  { tx, service }: UnitOfWork,
  { partnerId, applicationId }: Review,
  answer: Extract<ReviewAnswer, { outcome: 'in_review' }>,
): Promise<void> {
  const sealed = sealDetails(service.vault, applicationId, { ...answer, reasons: [] });
  await tx.run(sql`
    update review set details_sealed = ${sealed}::bytea
    where partner_id = ${partnerId} and application_id = ${applicationId}`);
  if (answer.military_covered === undefined) return;
  await tx.run(sql`
    update application set military_covered = ${answer.military_covered}
    where partner_id = ${partnerId} and id = ${applicationId} and state = 'in_review'`);
}

/** Stores why there was no answer, for the operator. */
export async function recordReviewFailure(tx: Tx, review: Review, failure: string): Promise<void> {
  await tx.run(sql`
    update review set last_failure = ${failure.slice(0, 300)}
    where partner_id = ${review.partnerId} and application_id = ${review.applicationId}`);
}
