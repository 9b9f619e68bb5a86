import type {
  AcceptOutput,
  ExperienceState,
  Locale,
  PaymentMethodInput,
  PlanChangeOutput,
} from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { addPaymentMethod as addMethod } from '../applications/add-payment-method.ts';
import { submitApplication as submit } from '../applications/submit-application.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import type { TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { emitTogether } from '../events/emit.ts';
import { acceptPlan as accept } from '../offers/accept.ts';
import { cancel } from '../plans/cancel.ts';
import type { Acceptance } from '../plans/insert-plan.ts';
import { pay } from '../plans/pay.ts';
import { reschedule } from '../plans/reschedule.ts';
import { setAutopay as autopay } from '../plans/set-autopay.ts';
import { keepLocale } from '../tenants/keep-locale.ts';
import { readState } from './read-state.ts';

/** Each command of the experience answers with where the tenant stands after it. */
export async function submitApplication(
  ctx: Ctx<TenantActor>,
  input: Parameters<typeof submit>[1],
): Promise<ExperienceState> {
  return emitTogether(ctx, async () => standing(ctx, await submit(ctx, input)));
}

export async function addPaymentMethod(
  ctx: Ctx<TenantActor>,
  input: PaymentMethodInput,
): Promise<ExperienceState> {
  return emitTogether(ctx, async () => {
    await addMethod(ctx, input);
    return standing(ctx);
  });
}

export async function acceptPlan(
  ctx: Ctx<TenantActor>,
  input: Acceptance & { readonly input: { readonly locale?: Locale | undefined } },
): Promise<AcceptOutput> {
  const { locale } = input.input;
  return emitTogether(ctx, async () => {
    const { settlement, failure, snapshot } = await accept(ctx, input);
    if (locale) await keepLocale(ctx.tx, ctx.actor.tenantId, locale);
    const state = await standing(ctx, snapshot);
    return { state: { ...state, step: settlement ? 'done' : state.step }, settlement, failure };
  });
}

export async function payInstallments(
  ctx: Ctx<TenantActor>,
  { id, input }: { id: string; input: Parameters<typeof pay>[2] },
): Promise<PlanChangeOutput> {
  const changed = await pay(ctx, id, input);
  return { ...changed, state: await standing(ctx) };
}

export async function rescheduleInstallment(
  ctx: Ctx<TenantActor>,
  { id, input }: { id: string; input: Parameters<typeof reschedule>[2] },
): Promise<PlanChangeOutput> {
  const changed = await reschedule(ctx, id, input);
  return { ...changed, state: await standing(ctx) };
}

export async function cancelPlan(
  ctx: Ctx<TenantActor>,
  { id }: { id: string },
): Promise<PlanChangeOutput> {
  const changed = await cancel(ctx, id);
  return { ...changed, state: await standing(ctx) };
}

export async function setAutopay(
  ctx: Ctx<TenantActor>,
  { id, input }: { id: string; input: Parameters<typeof autopay>[2] },
): Promise<PlanChangeOutput> {
  const changed = await autopay(ctx, id, input);
  return { ...changed, state: await standing(ctx) };
}

/** Where the tenant stands now; the partner hears of it when that is new. */
async function standing(ctx: Ctx<TenantActor>, known?: TenantSnapshot): Promise<ExperienceState> {
  if (!known) return readState(ctx, await emitEligibility(ctx, ctx.actor));
  const [, state] = await Promise.all([
    emitEligibility(ctx, ctx.actor, undefined, known),
    readState(ctx, known),
  ]);
  return state;
}
