import type { DeclineReason } from '@svc/contract';
import {
  bigint,
  boolean,
  instant,
  integer,
  json,
  listOf,
  nullable,
  oneOf,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { byKey } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { declineNoticeDays } from '../mail/notices.ts';
import { partnerOf } from '../operators/partner-of.ts';
import { Refusal } from '../refusal.ts';
import { type DeclineDetails, openDetails } from '../underwriting/decline-details.ts';
import { decideByRules, policyFacts, policyVersion } from '../underwriting/policy.ts';
import type { ReviewAnswer } from '../underwriting/review-answer.ts';
import { neverDueAt } from './ask-for-review.ts';
import { flagReasons } from './flag-application.ts';
import { concludeReview, decideInReview, findReview, type Review } from './review.ts';

const waitingRow = row('waiting review', {
  application_id: text,
  amount_in_cents: bigint,
  pms: text,
  external_id: text,
  submitted_at: instant,
  /** When the application expires without a decision. */
  expires_at: instant,
  /** True if the Military Lending Act covers the tenant; null if it was not looked up. */
  military_covered: nullable(boolean),
  taken_by: nullable(text),
  taken_at: nullable(instant),
  facts: json(policyFacts),
  /** The signs of fraud in the application. */
  flags: listOf(oneOf(...flagReasons)),
  /** How often the decision service was asked, and why it gave no decision the last time. */
  attempts: integer,
  last_failure: nullable(text),
});

/** An application that waits for a decision. Times are in tenant time. */
export interface WaitingReview
  extends Omit<RowOf<typeof waitingRow>, 'submitted_at' | 'expires_at' | 'taken_at'> {
  readonly submitted_at: string;
  readonly expires_at: string;
  readonly taken_at: string | null;
  /** The last day to tell the applicant the outcome, `YYYY-MM-DD`. */
  readonly notice_due_on: string;
}

/** Lists the applications in review of these partners, or of all if null. Those that wait longest come first. */
export async function listReviews(
  { tx }: Pick<UnitOfWork, 'tx'>,
  partnerIds: readonly string[] | null = null,
): Promise<Listed<WaitingReview>> {
  const rows = await tx.many(
    waitingRow,
    sql`
    /* many rows: all reviews that wait */
    /* all partners: for the operator */
    select r.application_id, a.amount_in_cents, p.pms, t.external_id, a.submitted_at, a.expires_at, a.military_covered,
      r.taken_by, r.taken_at, r.facts, coalesce(f.reasons, '{}') as flags, r.attempts, r.last_failure
    from review r
      cross join lateral (
        select * from application a
        where a.partner_id = r.partner_id and a.id = r.application_id ${byKey(tx)}) a
      cross join lateral (
        select * from tenant t
        where t.partner_id = a.partner_id and t.id = a.tenant_id ${byKey(tx)}) t
      join partner p on p.id = r.partner_id
      left join application_flag f
        on f.partner_id = r.partner_id and f.application_id = r.application_id
    where a.state = 'in_review'
      and (${partnerIds}::text[] is null or r.partner_id = any(${partnerIds}::text[]))
    order by a.submitted_at, r.application_id limit ${mostListed + 1}`,
  );
  return listNewest(
    rows.map(({ submitted_at, expires_at, taken_at, ...it }) => ({
      ...it,
      submitted_at: submitted_at.toISOString(),
      expires_at: expires_at.toISOString(),
      taken_at: taken_at?.toISOString() ?? null,
      notice_due_on: new Date(submitted_at.getTime() + declineNoticeDays * 86_400_000)
        .toISOString()
        .slice(0, 10),
    })),
  );
}

/** A person's decision. Its reasons are those of the decline notice. */
type PersonsDecision =
  | {
      readonly outcome: 'approved';
      readonly approved_amount_in_cents: number;
      /** Left out to keep what the decision service has found. */
      readonly military_covered?: boolean | undefined;
    }
  | { readonly outcome: 'declined'; readonly reasons: readonly DeclineReason[] };

/** The policy version that is stored for a person's decision, because no policy made it. */
const decidedByPerson = 'person';

/**
 * Assigns an application to a person, so that the decision service is no longer asked about it. Taking it over from
 * somebody else requires `from`, that person's name.
 * @throws Refusal if another person has taken it, or it is not in review
 */
export async function takeReview(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { applicationId, user, from }: TakeInput,
): Promise<void> {
  const { partnerId } = await requireReview(tx, applicationId);
  const { taken_by: owner } = await tx.one(
    ownerRow,
    sql`
    select taken_by from review
    where partner_id = ${partnerId} and application_id = ${applicationId} for update`,
  );
  if (owner !== null && owner !== user && owner !== from) {
    throw new Refusal('step_not_allowed', {
      message: `${owner} has taken ${applicationId}. To take it over, pass --from ${owner}.`,
    });
  }
  await tx.run(sql`
    update review set taken_by = ${user}, taken_at = ${now}, due_at = ${neverDueAt}
    where partner_id = ${partnerId} and application_id = ${applicationId}`);
}

interface TakeInput {
  readonly applicationId: string;
  readonly user: string;
  readonly from?: string | undefined;
}

const ownerRow = row('owner of a review', { taken_by: nullable(text) });

/**
 * Records a person's decision, even if someone else has taken the application. The tenant sees the result at once. The
 * notice of a decline names the sources that the decision service used before it left the application in review.
 */
export async function decideReview(
  uow: UnitOfWork,
  { applicationId, decision }: DecideInput,
): Promise<void> {
  const review = await requireReview(uow.tx, applicationId);
  const sources = openDetails(uow.service.vault, applicationId, review.detailsSealed);
  const concluded = await concludeReview(uow, review, answerOf(decision, sources));
  if (concluded === 'not_looked_up') {
    throw new Refusal('step_not_allowed', {
      message: `Look up whether the Military Lending Act covers the tenant, and approve ${applicationId} with --military-covered yes or no. SVC_MILITARY_LOOKUP_REQUIRED asks for it.`,
    });
  }
  if (concluded === 'not_decided') throw notInReview(applicationId);
}

interface DecideInput {
  readonly applicationId: string;
  readonly decision: PersonsDecision;
}

function answerOf(decision: PersonsDecision, sources: DeclineDetails | undefined): ReviewAnswer {
  if (decision.outcome === 'approved') return { ...decision, policy_version: decidedByPerson };
  return {
    ...sources,
    outcome: 'declined',
    policy_version: decidedByPerson,
    reasons: [...decision.reasons],
  };
}

/**
 * Decides an application as if no person had taken it: by our rules now, or by the operator's decision service, which
 * a job asks after the commit.
 */
export async function releaseReview(
  uow: UnitOfWork,
  { applicationId }: { readonly applicationId: string },
): Promise<'approved' | 'declined' | 'asked'> {
  const review = await requireReview(uow.tx, applicationId);
  if (uow.service.decidesOutside) {
    await uow.tx.run(sql`
      update review set taken_by = null, taken_at = null, due_at = ${uow.now}
      where partner_id = ${review.partnerId} and application_id = ${applicationId}`);
    return 'asked';
  }
  let outcome: 'approved' | 'declined' | undefined;
  const concluded = await decideInReview(uow, review, {
    policyVersion,
    decide(terms) {
      const decision = decideByRules(review.facts, terms);
      outcome = decision.outcome;
      return decision;
    },
  });
  if (concluded !== 'decided' || outcome === undefined) throw notInReview(applicationId);
  return outcome;
}

async function requireReview(tx: UnitOfWork['tx'], applicationId: string): Promise<Review> {
  const partnerId = await partnerOf(tx, { subject: 'application_id', id: applicationId });
  const review = partnerId !== null && (await findReview({ tx }, { partnerId, applicationId }));
  if (!review) throw notInReview(applicationId);
  return review;
}

function notInReview(applicationId: string): Refusal {
  return new Refusal('not_found', {
    message: `There is no application ${applicationId} in review. "svc-admin review list" lists them.`,
  });
}
