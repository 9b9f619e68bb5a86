import type { DeclineReason } from '@svc/contract';
import { type Sql, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import type { Application } from '../eligibility/load-tenant-snapshot.ts';
import type { LockedPosition } from '../eligibility/lock-position.ts';
import { lossOf } from '../plans/plan-loss.ts';
import type { TenantKey } from '../tenant-key.ts';
import { daysBetween, localDate, yearsBetween } from '../tenants/calendar.ts';
import {
  decideByRules,
  decideBySimulation,
  type PolicyFacts,
  policyVersion,
} from '../underwriting/policy.ts';
import { askForReview } from './ask-for-review.ts';
import { flagApplication } from './flag-application.ts';
import { recordDecision } from './record-decision.ts';

interface Applicant {
  readonly application: Application;
  readonly dateOfBirth: string;
  readonly monthlyIncomeInCents: number;
  readonly unpaidPlans: number;
}

/**
 * Underwrites a submitted application: by the simulation's fixed result, the operator's decision
 * service, or our rules. A flagged one may wait in the review queue first. Returns the application with its new
 * state.
 */
export async function decideApplication(
  ctx: Ctx<TenantActor>,
  { snapshot: { tenant }, position: { at, terms }, cycle, subject }: LockedPosition,
  applicant: Applicant,
): Promise<Application> {
  const { application } = applicant;
  const today = localDate(at, tenant.timeZone);
  const startsOn = tenant.lease?.starts_on;
  const facts: PolicyFacts = {
    amount_in_cents: cycle.amountDueInCents,
    monthly_income_in_cents: applicant.monthlyIncomeInCents,
    age_in_years: yearsBetween(applicant.dateOfBirth, today),
    lease_age_in_days: startsOn ? daysBetween(startsOn, today) : null,
    unpaid_plans: applicant.unpaidPlans,
  };
  const fixed = tenant.underwritingResult;
  if (!fixed) {
    const isHeld = await flagApplication(ctx, tenant, application.id);
    if (isHeld || ctx.service.decidesOutside) {
      return askForReview(ctx, { partnerId: tenant.partnerId, application, facts, isHeld });
    }
  }
  const decision = fixed
    ? decideBySimulation(fixed, tenant.declineReasons as DeclineReason[], terms.maximumInCents)
    : decideByRules(facts, terms);
  const version = fixed ? 'simulation' : policyVersion;
  return recordDecision(ctx, application, {
    decision,
    policyVersion: version,
    facts,
    simulated: fixed !== null,
    terms,
    at,
    today,
    subject,
  });
}

/** Returns a subquery that counts the plans that the tenant is behind with. */
export function unpaidPlansOf({ partnerId, tenantId }: TenantKey): Sql {
  return sql`(select count(*) from plan p
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and (p.state = 'past_due'
      or (p.state = 'charged_off' and (${lossOf({ partnerId: sql`${partnerId}`, planId: sql`p.id` })}) > 0)))`;
}
