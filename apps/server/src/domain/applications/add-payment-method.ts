import type { PaymentMethodInput } from '@svc/contract';
import { bigint, bytes, row, sql } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import { lockTenantSnapshot, positionIn } from '../eligibility/lock-position.ts';
import { insertPaymentMethod, type PaymentMethod } from '../payments/payment-methods.ts';
import type { Payer, Registered } from '../payments/processor.ts';
import { processorOf } from '../payments/processor-of.ts';
import { changePaymentMethod } from '../plans/change-payment-method.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';
import { decideApplication, unpaidPlansOf } from './decide-application.ts';

const applicantRow = row('applicant', {
  date_of_birth_sealed: bytes,
  monthly_income_in_cents: bigint,
  unpaid_plans: bigint,
});

/**
 * Registers the tenant's bank account or card with the processor, outside of any transaction, stores
 * it, and decides an application that waited for it.
 */
export async function addPaymentMethod(
  steps: RequestSteps<TenantActor>,
  input: PaymentMethodInput,
): Promise<void> {
  const payer = await steps.step(payerToAdd);
  const setup = await processorOf(steps.service).setup({
    key: newId('pmt', steps.now),
    payer,
    type: input.type,
    typed: input,
    bank: null,
    returnUrl: steps.service.publicOrigin,
    now: steps.now,
  });
  if (setup.kind !== 'ready') {
    throw new Refusal('step_not_allowed', {
      message: 'This processor takes accounts and cards on its own page, not by their numbers.',
    });
  }
  await steps.step((ctx) => storePaymentMethod(ctx, setup.method));
}

/** Checks that the tenant may add a method. `storePaymentMethod` checks it again. */
export async function payerToAdd(ctx: Ctx<TenantActor>): Promise<Payer> {
  const { snapshot, position } = await lockToAdd(ctx);
  const { partnerId, id: tenantId, timeZone } = snapshot.tenant;
  return {
    partnerId,
    tenantId,
    timeZone,
    at: position?.at ?? tenantTime(snapshot.tenant, ctx.now),
  };
}

/** @throws Refusal `step_not_allowed` */
async function lockToAdd(ctx: Ctx<TenantActor>) {
  const snapshot = await lockTenantSnapshot(ctx);
  if (snapshot.openPlan) return { snapshot };
  const locked = positionIn(ctx, snapshot);
  const { eligibility } = locked.position;
  const isWaiting =
    eligibility.state === 'can_apply' && snapshot.application?.state === 'submitted';
  if (!isWaiting && eligibility.state !== 'approved') throw new Refusal('step_not_allowed');
  return { snapshot, locked, position: locked.position, isWaiting };
}

/** Stores a method that the processor has registered. */
export async function storePaymentMethod(
  ctx: Ctx<TenantActor>,
  registered: Registered,
): Promise<PaymentMethod> {
  const { snapshot, locked, isWaiting } = await lockToAdd(ctx);
  if (!locked) return changePaymentMethod(ctx, registered);
  const { application, tenant } = snapshot;
  const method = await insertPaymentMethod(ctx, ctx.actor, registered);
  if (!isWaiting || !application) return method;
  const row = await ctx.tx.one(
    applicantRow,
    sql`
    select a.date_of_birth_sealed, a.monthly_income_in_cents,
      ${unpaidPlansOf(ctx.actor)} as unpaid_plans
    from application a where a.partner_id = ${tenant.partnerId} and a.id = ${application.id}`,
  );
  await decideApplication(ctx, locked, {
    application,
    dateOfBirth: ctx.service.vault.open(row.date_of_birth_sealed, application.id),
    monthlyIncomeInCents: row.monthly_income_in_cents,
    unpaidPlans: row.unpaid_plans,
  });
  return method;
}
