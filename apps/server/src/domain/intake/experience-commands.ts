import type { AcceptOutput, ExperienceState } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { type Acceptance, acceptPlan as accept } from '../plans/accept.ts';
import { addPaymentMethod as addMethod } from '../plans/application/add-payment-method.ts';
import { submitApplication as submit } from '../plans/application/submit-application.ts';
import type { BankAccount } from '../plans/payment/payment-methods.ts';
import { readState } from './read-state.ts';

/** Each command of the experience answers with where the tenant stands after it. */
export async function submitApplication(
  ctx: Ctx<TenantActor>,
  input: Parameters<typeof submit>[1],
): Promise<ExperienceState> {
  await submit(ctx, input);
  return readState(ctx);
}

export async function addPaymentMethod(
  ctx: Ctx<TenantActor>,
  input: BankAccount,
): Promise<ExperienceState> {
  await addMethod(ctx, input);
  return readState(ctx);
}

export async function acceptPlan(ctx: Ctx<TenantActor>, input: Acceptance): Promise<AcceptOutput> {
  const { settlement, failure } = await accept(ctx, input);
  const state = await readState(ctx);
  return { state: { ...state, step: settlement ? 'done' : state.step }, settlement, failure };
}
