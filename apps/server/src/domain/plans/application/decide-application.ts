import type { DeclineReason } from '@svc/contract';
import { applicationTransitions, mayMove } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../../context.ts';
import { newId } from '../../../ids.ts';
import type { TenantActor } from '../../access/actor.ts';
import { emit, type NewEvent } from '../../events/emit.ts';
import { terms } from '../../partners/terms.ts';
import { Refusal } from '../../refusal.ts';
import { addDays, daysBetween, localDate, yearsBetween } from '../../tenants/calendar.ts';
import {
  decideByRules,
  decideBySimulation,
  type PolicyDecision,
  type PolicyFacts,
  policyVersion,
} from '../../underwriting/policy.ts';
import type { Application } from '../load-standing.ts';
import type { LockedPosition } from '../lock-position.ts';

interface Applicant {
  readonly application: Application;
  readonly dateOfBirth: string;
  readonly monthlyIncomeInCents: number;
  readonly unpaidPlans: number;
}

/** Underwrites a submitted application; the decision keeps its facts, version and reasons. */
export async function decideApplication(
  ctx: Ctx<TenantActor>,
  { dossier: { tenant }, position, cycle, subject }: LockedPosition,
  applicant: Applicant,
): Promise<void> {
  const { application } = applicant;
  const { at } = position;
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
  const decision = fixed
    ? decideBySimulation(fixed, tenant.declineReasons as DeclineReason[], terms.maximumInCents)
    : decideByRules(facts, terms.maximumInCents);
  if (!mayMove(applicationTransitions, application.state as 'submitted', decision.outcome)) {
    throw new Refusal('step_not_allowed');
  }
  const reapplyAfter = addDays(today, terms.reapplyAfterDays);
  const approved = decision.outcome === 'approved';
  await ctx.tx.run(sql`
    insert into decision (id, application_id, outcome, reasons, policy_version, facts, simulated,
      decided_at, created_at)
    values (${newId('dec', ctx.now)}, ${application.id}, ${decision.outcome},
      ${decision.reasons}::text[], ${fixed ? 'simulation' : policyVersion},
      ${JSON.stringify(facts)}::jsonb, ${fixed !== null}, ${at}, ${ctx.now})`);
  await ctx.tx.run(sql`
    update application set state = ${decision.outcome}, decided_at = ${at},
      approved_amount_in_cents = ${approved ? decision.approvedAmountInCents : null},
      reapply_after = ${approved ? null : reapplyAfter}::date, version = version + 1
    where id = ${application.id}`);
  const version = application.version + 1;
  await emit(ctx, subject, [announce(decision, { application, version, reapplyAfter, cycle })]);
}

function announce(
  decision: PolicyDecision,
  about: {
    application: Application;
    version: number;
    reapplyAfter: string;
    cycle: LockedPosition['cycle'];
  },
): NewEvent {
  const { application, version, reapplyAfter, cycle } = about;
  const data = {
    application_id: application.id,
    rent_cycle_date: application.rentCycleDate,
    product_variant: application.productVariant,
  };
  return decision.outcome === 'approved'
    ? {
        type: 'application.approved',
        version,
        data: {
          ...data,
          approved_amount_in_cents: decision.approvedAmountInCents,
          expires_at: cycle.closesAt.toISOString(),
        },
      }
    : {
        type: 'application.declined',
        version,
        data: { ...data, reapply_after: reapplyAfter },
      };
}
