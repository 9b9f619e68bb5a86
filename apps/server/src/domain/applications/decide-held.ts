import { json, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';
import { localDate } from '../tenants/calendar.ts';
import { isSimulated } from '../tenants/time.ts';
import {
  decideByRules,
  type PolicyDecision,
  policyFacts,
  policyVersion,
} from '../underwriting/policy.ts';
import { queueReview } from './ask-for-review.ts';
import { resolveFlag } from './flag-application.ts';
import { recordDecision } from './record-decision.ts';

export interface HeldDecision {
  readonly application_id: string;
  readonly pms: string;
  readonly external_id: string;
  /** `asked`: the operator's decision service decides. */
  readonly outcome: 'approved' | 'declined' | 'asked';
}

const heldRow = row('held application', {
  partnerId: text,
  tenantId: text,
  pms: text,
  externalId: text,
  facts: json(policyFacts),
});

/**
 * An operator has looked at a flagged application that is held. It is decided as if it had not been flagged,
 * or declined, because the tenant's data could not be verified.
 */
export async function decideHeld(
  ctx: Ctx,
  { applicationId, declines }: { readonly applicationId: string; readonly declines: boolean },
): Promise<HeldDecision> {
  const held = await findHeld(ctx.tx, applicationId);
  const { partnerId, tenantId, pms, externalId, facts } = held;
  const snapshot = await loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: true });
  const application = snapshot?.application;
  // The tenant's row is locked now, so another operator's decision is seen here.
  const isOpen = await resolveFlag(ctx, { partnerId, applicationId });
  if (
    !snapshot ||
    !isOpen ||
    application?.id !== applicationId ||
    application.state !== 'in_review'
  ) {
    throw refuse(`${applicationId} is not held. "risk list" shows those that are.`);
  }
  const result = { application_id: applicationId, pms, external_id: externalId };
  const { at, terms } = positionOf(snapshot, ctx);
  if (!declines && ctx.service.decidesOutside) {
    await queueReview(ctx, { partnerId, applicationId, facts });
    return { ...result, outcome: 'asked' };
  }
  const decision: PolicyDecision = declines
    ? { outcome: 'declined', reasons: ['unable_to_verify'], approvedAmountInCents: 0 }
    : decideByRules(facts, terms);
  await recordDecision(ctx, application, {
    decision,
    policyVersion: declines ? 'operator' : policyVersion,
    facts,
    simulated: false,
    terms,
    at,
    today: localDate(at, snapshot.tenant.timeZone),
    subject: { partnerId, pms, externalId, simulated: isSimulated(snapshot.tenant), at },
  });
  await emitEligibility(ctx, { partnerId, tenantId, pms });
  return { ...result, outcome: decision.outcome };
}

async function findHeld(q: Queryable, applicationId: string) {
  const found = await q.maybe(
    heldRow,
    sql`
    /* many rows: the operator names no partner */
    /* all partners: the operator names an application only */
    select f.partner_id, f.tenant_id, p.pms, t.external_id, f.facts
    from application_flag f join tenant t on t.partner_id = f.partner_id and t.id = f.tenant_id
      join partner p on p.id = f.partner_id
    where f.application_id = ${applicationId}`,
  );
  if (!found) throw refuse(`No application ${applicationId} is flagged.`);
  return found;
}

function refuse(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}
