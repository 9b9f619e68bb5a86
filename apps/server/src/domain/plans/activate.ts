import type { PaidCharge } from '@svc/contract';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post, type Transfer } from '../ledger/post.ts';
import { staleAfterDays } from '../partners/operating-hours.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { createSettlement } from '../settlements/create.ts';
import { addBankingDays, debitBy } from '../tenants/banking-days.ts';
import type { TenantTime } from '../tenants/time.ts';
import { moneyOf } from './collect.ts';
import { type LivePlan, mailFactsOf, partData, planData, subjectOf } from './live-plan.ts';

interface FirstPayment {
  readonly paymentId: string;
  readonly methodId: string;
}

interface Activation {
  readonly at: TenantTime;
  /** The charges that the settlement pays. */
  readonly paid: readonly PaidCharge[];
  /** Null while a slow bank still processes it (`PlanStart`). */
  readonly firstPayment: FirstPayment | null;
}

/** The plan begins: we owe the portal, and the tenant owes us. */
export async function activate(
  ctx: UnitOfWork,
  plan: LivePlan,
  { at, paid, firstPayment }: Activation,
): Promise<void> {
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
  const payment = firstPayment && moneyOf(plan, { ...firstPayment, amountInCents }, at);
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
      staleAfter: addBankingDays(debitOn, staleAfterDays),
    }),
    post(ctx, [advance(plan, at), ...(payment?.transfers ?? [])]),
    payment && recordProcessorEntries(ctx, payment.movements),
  ]);
  const mail = { ...mailFactsOf(plan), amount_in_cents: amountInCents };
  const events: NewEvent[] = [
    { type: 'plan.activated', version: plan.version, data: planData(plan), mail },
    { type: 'settlement.created', version: 1, data: { ...data, debit_by: debitOn } },
  ];
  if (payment) {
    const paidData = { ...partData(plan, first), method: plan.method.type };
    events.push({ type: 'installment.paid', version: first.version, data: paidData, mail });
  }
  emit(ctx, subjectOf(plan, at), events);
}

/** Debits are positive: the tenant owes us principal and fee; we owe the portal the principal. */
function advance(plan: LivePlan, at: TenantTime): Transfer {
  const { id, partnerId, tenantId, principalInCents, feeInCents } = plan;
  return {
    partnerId,
    tenantId,
    kind: 'advance',
    sourceId: id,
    occurredAt: at,
    entries: [
      { kind: 'tenant_receivable', amountInCents: principalInCents + feeInCents },
      { kind: 'partner_payable', amountInCents: -principalInCents },
      { kind: 'fee_income', amountInCents: -feeInCents },
    ],
  };
}
