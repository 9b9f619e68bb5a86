import { type PaymentSetupInput, type PaymentSetupOutput, setupFailures } from '@svc/contract';
import type { Ctx, RequestSteps, UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { returnPath, type SetupStep } from '../payments/processor.ts';
import { processorOf } from '../payments/processor-of.ts';
import {
  findSetup,
  insertSetup,
  lockSetup,
  type PaymentSetup,
  recordSetupFailed,
  recordSetupOpen,
  recordSetupPending,
  recordSetupReady,
} from '../payments/setups.ts';
import { visitUrl } from '../payments/visits.ts';
import { Refusal } from '../refusal.ts';
import { payerToAdd, storePaymentMethod } from './add-payment-method.ts';

/**
 * Opens the processor's page on which the tenant enters an account or a card. Our service never sees
 * the numbers. A page that is open already is opened again.
 */
export async function beginSetup(
  steps: RequestSteps<TenantActor>,
  { type, bank }: PaymentSetupInput,
): Promise<PaymentSetupOutput> {
  const processor = processorOf(steps.service);
  const { payer, open } = await steps.step(async (ctx) => ({
    payer: await payerToAdd(ctx),
    open: await findSetup(ctx, ctx.actor),
  }));
  // Picking a bank always starts a new visit, because the open one may be at another bank.
  const mayContinue = processor.accountEntry !== 'banks' && open?.type === type;
  if (mayContinue && (open.state === 'open' || open.state === 'pending')) {
    const present = await checkSetup(steps, open);
    if (present.state !== 'failed') return present;
  }
  const id = newId('pse', steps.now);
  const step = await processor.setup({
    key: id,
    payer,
    type,
    typed: null,
    bank: bank ?? null,
    now: steps.now,
    returnUrl: `${steps.service.publicOrigin}${returnPath}`,
  });
  const emptyOutput = { id: null, url: null, reason: null, message: null };
  if (step.kind === 'fields') return { ...emptyOutput, state: 'fields' };
  if (step.kind === 'banks') return { ...emptyOutput, state: 'banks', banks: [...step.banks] };
  if (step.ref === null) throw new Error(`the setup ${id} has no reference`);
  const { partnerId, tenantId, productVariant } = steps.actor;
  const setup = { partnerId, tenantId, productVariant, id, type, ref: step.ref };
  await steps.step((ctx) => insertSetup(ctx, setup));
  return steps.step((ctx) => record(ctx, { ...setup, pms: steps.actor.pms }, step));
}

/** Returns the present state of a setup. The tenant's page polls it until the setup is over. */
export async function readSetup(
  steps: RequestSteps<TenantActor>,
  id: string,
): Promise<PaymentSetupOutput> {
  const setup = await steps.step((ctx) => findSetup(ctx, ctx.actor, id));
  if (!setup) throw new Refusal('not_found');
  return checkSetup(steps, setup);
}

async function checkSetup(
  steps: RequestSteps<TenantActor>,
  setup: PaymentSetup,
): Promise<PaymentSetupOutput> {
  const { id, state, reason } = setup;
  if (state === 'ready') return { id, state, url: null, reason: null, message: null };
  if (reason !== null) return failed(id, reason);
  const step = await processorOf(steps.service).findSetup(setup.ref, steps.now);
  return steps.step((ctx) => record(ctx, setup, step));
}

/** Stores the state of a setup that a job got from the processor, without the tenant's session. */
export async function concludeSetup(
  uow: UnitOfWork,
  setup: PaymentSetup,
  step: SetupStep,
  log: Ctx['log'],
): Promise<void> {
  const { partnerId, tenantId, pms, productVariant } = setup;
  const actor: TenantActor = {
    kind: 'tenant',
    partnerId,
    tenantId,
    pms,
    productVariant,
    sessionId: setup.id,
    access: 'full',
  };
  const ctx = { ...uow, actor, requestId: setup.id, address: null, log };
  const { state } = await record(ctx, setup, step);
  if (state === 'ready') await emitEligibility(ctx, actor);
}

type RecordedSetup = Pick<
  PaymentSetup,
  'id' | 'partnerId' | 'tenantId' | 'pms' | 'productVariant' | 'type' | 'ref'
>;

/**
 * Stores the state of a setup, and the account or card once it is ready. The tenant's page and a
 * webhook can get here at the same time: the lock lets one of them store it.
 */
async function record(
  ctx: Ctx<TenantActor>,
  { partnerId, id }: RecordedSetup,
  step: SetupStep,
): Promise<PaymentSetupOutput> {
  // This locks the tenant's row before the setup's, as everywhere.
  const mayAdd = await payerToAdd(ctx).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
  const setup = await lockSetup(ctx, { partnerId, id });
  if (!setup) {
    const ended = await findSetup(ctx, ctx.actor, id);
    if (ended?.reason) return failed(id, ended.reason);
    return { id, state: 'ready', url: null, reason: null, message: null };
  }
  switch (step.kind) {
    case 'redirect':
      await recordSetupOpen(ctx, setup);
      return { id, state: 'open', url: visitUrl(ctx, step.url), reason: null, message: null };
    case 'pending':
      await recordSetupPending(ctx, setup);
      return { id, state: 'pending', url: null, reason: null, message: null };
    case 'failed':
      await recordSetupFailed(ctx, setup, step.reason);
      return failed(id, step.reason);
    case 'fields':
    case 'banks':
      throw new Error(`the setup ${id} cannot begin again`);
    case 'ready': {
      // The tenant may no longer need an account by now.
      if (!mayAdd) {
        await recordSetupFailed(ctx, setup, 'canceled');
        return failed(id, 'canceled');
      }
      const method = await storePaymentMethod(ctx, step.method);
      await recordSetupReady(ctx, setup, method.id);
      return { id, state: 'ready', url: null, reason: null, message: null };
    }
  }
}

function failed(id: string, reason: NonNullable<PaymentSetup['reason']>): PaymentSetupOutput {
  return { id, state: 'failed', url: null, reason, message: setupFailures[reason] };
}
