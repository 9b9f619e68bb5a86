import type {
  AcceptOutput,
  ExperienceState,
  PaymentMethodInput,
  PlanChangeOutput,
} from '@svc/contract';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { addPaymentMethod as addMethod } from '../applications/add-payment-method.ts';
import { submitApplication as submit } from '../applications/submit-application.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { acceptPlan as accept } from '../offers/accept.ts';
import type { AfterOutcome } from '../plans/apply-outcomes.ts';
import { cancelPendingPlan } from '../plans/cancel.ts';
import type { Acceptance } from '../plans/insert-plan.ts';
import { payInstallments as pay } from '../plans/pay.ts';
import { reschedulePart } from '../plans/reschedule.ts';
import { setAutopay as autopay } from '../plans/set-autopay.ts';
import { readState } from './read-state.ts';

// Each command of the experience returns the tenant's state after it.

export async function submitApplication(
  ctx: Ctx<TenantActor>,
  input: Parameters<typeof submit>[1],
): Promise<ExperienceState> {
  const snapshot = await submit(ctx, input);
  return readState(ctx, { snapshot: await emitEligibility(ctx, ctx.actor, snapshot) });
}

export async function addPaymentMethod(
  steps: RequestSteps<TenantActor>,
  input: PaymentMethodInput,
): Promise<ExperienceState> {
  await addMethod(steps, input);
  return steps.step((ctx) => stateAfter(ctx));
}

export async function acceptPlan(
  steps: RequestSteps<TenantActor>,
  input: Acceptance,
): Promise<AcceptOutput> {
  const [{ settlement, failure }, state] = await accept(steps, input, stateAfter);
  return { state: { ...state, step: settlement ? 'done' : state.step }, settlement, failure };
}

export async function payInstallments(
  steps: RequestSteps<TenantActor>,
  { id, input }: { id: string; input: Parameters<typeof pay>[2] },
): Promise<PlanChangeOutput> {
  const changed = await pay(steps, id, input);
  return { ...changed, state: await steps.step((ctx) => stateAfter(ctx)) };
}

export async function rescheduleInstallment(
  ctx: Ctx<TenantActor>,
  { id, input }: { id: string; input: Parameters<typeof reschedulePart>[2] },
): Promise<PlanChangeOutput> {
  const changed = await reschedulePart(ctx, id, input);
  return { ...changed, state: await stateAfter(ctx) };
}

export async function cancelPlan(
  ctx: Ctx<TenantActor>,
  { id }: { id: string },
): Promise<PlanChangeOutput> {
  const changed = await cancelPendingPlan(ctx, id);
  return { ...changed, state: await stateAfter(ctx) };
}

export async function setAutopay(
  ctx: Ctx<TenantActor>,
  { id, input }: { id: string; input: Parameters<typeof autopay>[2] },
): Promise<PlanChangeOutput> {
  const changed = await autopay(ctx, id, input);
  return { ...changed, state: await stateAfter(ctx) };
}

/**
 * Emits the tenant's eligibility if the command changed it, and reads the state to show. With `known`, the
 * command has emitted it already.
 */
async function stateAfter(ctx: Ctx<TenantActor>, known?: AfterOutcome): Promise<ExperienceState> {
  return readState(ctx, known ?? { snapshot: await emitEligibility(ctx, ctx.actor) });
}
