import type { PaymentCheckOutput } from '@svc/contract';
import type { RequestSteps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { findUnconfirmed } from '../payments/calls.ts';
import { makeCall } from '../payments/make-call.ts';
import { visitUrl } from '../payments/visits.ts';
import { applyOutcomes } from './apply-outcomes.ts';

/**
 * Asks the processor about a payment that waits for the tenant's confirmation, and writes its outcome
 * if it has one. The page's address carries a secret of the processor, so it is requested each time
 * and not stored.
 */
export async function checkConfirmation(
  steps: RequestSteps<TenantActor>,
  paymentId: string,
): Promise<PaymentCheckOutput> {
  const { partnerId, tenantId } = steps.actor;
  const call = await steps.step((ctx) =>
    findUnconfirmed(ctx, { partnerId, tenantId, key: paymentId }),
  );
  if (!call) return { state: 'ended', url: null };
  const report = await makeCall(steps, call);
  await steps.step((uow) => applyOutcomes(uow, [report]));
  const { outcome } = report;
  if (outcome?.state === 'requires_action') {
    return { state: 'waiting', url: outcome.url && visitUrl(steps, outcome.url) };
  }
  const isKnown = outcome !== null && outcome.state !== 'unknown';
  return { state: isKnown ? 'ended' : 'waiting', url: null };
}
