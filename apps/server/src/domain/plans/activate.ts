import type { AcceptOutput, PaidCharge } from '@svc/contract';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { emit, type Subject } from '../events/emit.ts';
import { post } from '../ledger/post.ts';
import { terms } from '../partners/terms.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { scheduleProcessorEvents } from '../payments/schedule-processor-events.ts';
import { createSettlement } from '../settlements/create.ts';
import { addBankingDays, debitBy } from '../tenants/banking-days.ts';
import type { TenantTime } from '../tenants/time.ts';
import { type LivePart, type LivePlan, partData, planData } from './live-plan.ts';

interface FirstPayment {
  readonly paymentId: string;
  readonly methodId: string;
  readonly at: TenantTime;
  readonly paid: readonly PaidCharge[];
  readonly subject: Subject;
}

type Settled = NonNullable<AcceptOutput['settlement']>;

/** The first payment succeeded: we now owe the portal, the tenant owes us, and the plan is active. */
export async function activate(
  ctx: UnitOfWork,
  plan: LivePlan,
  { paymentId, methodId, at, paid, subject }: FirstPayment,
): Promise<Settled> {
  const { partnerId, tenantId, timeZone, rentCycleDate, principalInCents } = plan;
  const [first] = plan.parts;
  if (!first) throw new Error(`plan ${plan.id} has no installment`);
  const debitOn = debitBy(at, timeZone);
  const settlement_id = newId('stl', ctx.now);
  const settlement = {
    settlement_id,
    amount_in_cents: principalInCents,
    charges_paid: paid.map((it) => it.charge_id),
    charges_and_amounts_paid: [...paid],
  };
  const { amountInCents } = first;
  const entry = { partnerId, tenantId, methodId, sourceId: paymentId, amountInCents, at, timeZone };
  const data = { ...settlement, plan_id: plan.id, rent_cycle_date: rentCycleDate };
  await Promise.all([
    createSettlement(ctx, {
      id: settlement_id,
      partnerId,
      tenantId,
      planId: plan.id,
      amountInCents: principalInCents,
      rentCycleDate,
      debitBy: debitOn,
      staleAfter: addBankingDays(debitOn, terms.staleAfterDays),
    }),
    postActivation(ctx, plan, { first, paymentId, at }),
    recordProcessorEntries(ctx, [entry]),
    scheduleProcessorEvents(ctx, {
      partnerId,
      tenantId,
      paymentId,
      methodId: plan.method.id,
      detailsSealed: plan.detailsSealed,
      timeZone,
      at,
    }),
  ]);
  emit(ctx, subject, [
    { type: 'plan.activated', version: plan.version, data: planData(plan) },
    { type: 'settlement.created', version: 1, data: { ...data, debit_by: debitOn } },
    {
      type: 'installment.paid',
      version: first.version,
      data: { ...partData(plan, first), method: plan.method.type },
    },
  ]);
  return settlement;
}

/** Debits are positive: the tenant owes us principal and fee; we owe the portal the principal. */
async function postActivation(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  plan: LivePlan,
  { first, paymentId, at }: { first: LivePart; paymentId: string; at: Date },
): Promise<void> {
  const { partnerId, tenantId, principalInCents, feeInCents } = plan;
  const about = { partnerId, tenantId, occurredAt: at };
  await post(ctx, [
    {
      ...about,
      kind: 'advance',
      sourceId: plan.id,
      entries: [
        { kind: 'tenant_receivable', amountInCents: principalInCents + feeInCents },
        { kind: 'partner_payable', amountInCents: -principalInCents },
        { kind: 'fee_income', amountInCents: -feeInCents },
      ],
    },
    {
      ...about,
      kind: 'payment',
      sourceId: paymentId,
      entries: [
        { kind: 'processor_clearing', amountInCents: first.amountInCents },
        { kind: 'tenant_receivable', amountInCents: -first.amountInCents },
      ],
    },
  ]);
}
