import { applicationTransitions, mayMove } from '@svc/contract';
import { instant, integer, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { Application } from '../eligibility/load-tenant-snapshot.ts';
import { emit, type NewEvent, type Subject } from '../events/emit.ts';
import type { Terms } from '../partners/terms.ts';
import { Refusal } from '../refusal.ts';
import { addDays } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { sealDetails } from '../underwriting/decline-details.ts';
import type { PolicyDecision, PolicyFacts } from '../underwriting/policy.ts';

interface Decided {
  readonly decision: PolicyDecision;
  readonly policyVersion: string;
  readonly facts: PolicyFacts;
  /** True if the partner fixed the result in the simulation. */
  readonly simulated: boolean;
  /** True if the tenant may apply again at once after a decline, regardless of the terms. */
  readonly mayReapplyAtOnce?: boolean;
  readonly terms: Terms;
  readonly at: TenantTime;
  /** The current day in the tenant's time zone and clock. */
  readonly today: string;
  readonly subject: Subject;
}

const decidedRow = row('decided application', { expires_at: instant, version: integer });

/**
 * Stores the decision with its facts, policy version and reasons. The event carries only the outcome,
 * since reasons are between us and the tenant. Returns the decided application.
 */
export async function recordDecision(
  ctx: UnitOfWork,
  application: Application,
  {
    decision,
    policyVersion,
    facts,
    simulated,
    mayReapplyAtOnce,
    terms,
    at,
    today,
    subject,
  }: Decided,
): Promise<Application> {
  if (!mayMove(applicationTransitions, application.state as 'submitted', decision.outcome)) {
    throw new Refusal('step_not_allowed');
  }
  const reapplyAfter = addDays(today, mayReapplyAtOnce ? 0 : terms.reapplyAfterDays);
  const approved = decision.outcome === 'approved';
  const militaryCovered = decision.military_covered ?? application.militaryCovered;
  const id = newId('dec', ctx.now);
  const { expires_at, version } = await ctx.tx.one(
    decidedRow,
    sql`
    with decided as (
      insert into decision (id, partner_id, application_id, outcome, reasons, policy_version, facts,
        details_sealed, simulated, decided_at, created_at)
      values (${id}, ${subject.partnerId}, ${application.id},
        ${decision.outcome}, ${decision.reasons}::text[], ${policyVersion},
        ${JSON.stringify({ ...facts, terms_version: terms.version })}::jsonb,
        ${sealDetails(ctx.service.vault, id, decision.details)}::bytea,
        ${simulated}, ${at}, ${ctx.now})
    )
    update application set state = ${decision.outcome}, decided_at = ${at},
      approved_amount_in_cents = ${approved ? decision.approvedAmountInCents : null},
      reapply_after = ${approved ? null : reapplyAfter}::date,
      military_covered = ${militaryCovered}, ssn_sealed = null, version = version + 1
    where partner_id = ${subject.partnerId} and id = ${application.id}
    returning expires_at, version`,
  );
  const data = {
    application_id: application.id,
    rent_cycle_date: application.rentCycleDate,
    product_variant: application.productVariant,
  };
  const event: NewEvent = approved
    ? {
        type: 'application.approved',
        version,
        data: {
          ...data,
          approved_amount_in_cents: decision.approvedAmountInCents,
          expires_at: expires_at.toISOString(),
        },
      }
    : { type: 'application.declined', version, data: { ...data, reapply_after: reapplyAfter } };
  emit(ctx, subject, [event]);
  return {
    ...application,
    state: decision.outcome,
    approvedAmountInCents: approved ? decision.approvedAmountInCents : null,
    reapplyAfter: approved ? null : reapplyAfter,
    militaryCovered,
    version,
  };
}
