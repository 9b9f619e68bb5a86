import { newId } from '../../ids.ts';
import type { NewEvent } from '../events/emit.ts';
import type { Transfer } from '../ledger/post.ts';
import { staleAfterDays } from '../partners/operating-hours.ts';
import { addBankingDays, debitBy } from '../tenants/banking-days.ts';
import type { TenantTime } from '../tenants/time.ts';
import { moneyOf } from './collect.ts';
import { type LivePlan, mailFactsOf, partData, planData } from './live-plan.ts';
import type { PlanStep } from './plan-step.ts';
import { changePlan, type HistoryLine, movePart, movePlan, withPart } from './save-change.ts';

interface Begins {
  readonly at: TenantTime;
  /** False while a slow bank still processes the first payment (`PlanStart`). */
  readonly isPaid: boolean;
  /** Wall time. */
  readonly now: Date;
}

/**
 * Begins a plan, because its first payment succeeded or, by our terms, is on its way: we owe the portal, and
 * the tenant owes us. Writes nothing.
 */
export function beginPlan(before: LivePlan, { at, isPaid, now }: Begins): PlanStep {
  const { pending, partnerId, tenantId, timeZone, rentCycleDate, principalInCents } = before;
  const [first] = before.parts;
  if (!pending || !first) throw new Error(`plan ${before.id} waits for no payment`);
  const begun = isPaid ? movePart(first, ['paid'], { paidMs: at.getTime() }) : first;
  const { number, amountInCents } = first;
  const change = changePlan({
    before,
    after: { ...movePlan(withPart(before, begun), 'active'), pending: null },
    at,
    history: isPaid ? [{ kind: 'paid', number, amountInCents }] : [],
  });
  const { plan } = change;
  const debitOn = debitBy(at, timeZone);
  const settlement = {
    id: newId('stl', now),
    partnerId,
    tenantId,
    planId: plan.id,
    amountInCents: principalInCents,
    rentCycleDate,
    debitBy: debitOn,
    staleAfter: addBankingDays(debitOn, staleAfterDays),
  };
  const created = {
    settlement_id: settlement.id,
    amount_in_cents: principalInCents,
    charges_paid: pending.charges.map((it) => it.charge_id),
    charges_and_amounts_paid: [...pending.charges],
    plan_id: plan.id,
    rent_cycle_date: rentCycleDate,
    debit_by: debitOn,
  };
  const mail = { ...mailFactsOf(plan), amount_in_cents: amountInCents };
  const events: NewEvent[] = [
    { type: 'plan.activated', version: plan.version, data: planData(plan), mail },
    { type: 'settlement.created', version: 1, data: created },
  ];
  if (!isPaid) return { change, events, settlement, transfers: [advance(plan, at)] };
  const [paid = first] = plan.parts;
  const data = { ...partData(plan, paid), method: pending.methodType };
  events.push({ type: 'installment.paid', version: paid.version, data, mail });
  const { id: paymentId, methodId } = pending;
  const { transfers, movements } = moneyOf(plan, { paymentId, amountInCents, methodId }, at);
  return {
    change,
    events,
    settlement,
    transfers: [advance(plan, at), ...transfers],
    movements,
    payments: [{ id: paymentId, partnerId, outcome: 'succeeded', isPart: false, returnCode: null }],
  };
}

/** Returns the advance's transfer: the tenant owes us principal and fee (a debit); we owe the portal the principal. */
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

interface Ending {
  readonly at: TenantTime;
  readonly reason: string;
  /** The bank's code, if the payment failed. */
  readonly returnCode?: string;
  /** True if the tenant waits for the answer, and so sees it on screen. */
  readonly isOnScreen: boolean;
}

/**
 * Cancels a plan whose first payment did not succeed, so that nothing is owed. If the payment is still
 * on its way, the processor is asked to stop it; money that arrives anyway is given back. Writes nothing.
 */
export function endBeforeStart(
  before: LivePlan,
  { at, reason, returnCode, isOnScreen }: Ending,
): PlanStep {
  const { pending, partnerId } = before;
  if (!pending) throw new Error(`plan ${before.id} has begun`);
  const parts = before.parts.map((it) => movePart(it, ['canceled']));
  const history: HistoryLine[] = [
    ...(returnCode ? [{ kind: 'failed', number: 1, returnCode } as const] : []),
    { kind: 'canceled' },
  ];
  const after = { ...movePlan(before, 'canceled'), parts, pending: null };
  const change = changePlan({ before, after, at, history });
  const { plan } = change;
  const mail = { amount_in_cents: before.parts[0]?.amountInCents ?? 0 };
  const event: NewEvent = {
    type: 'plan.canceled',
    version: plan.version,
    data: { ...planData(plan), reason },
    ...(isOnScreen ? {} : { mail }),
  };
  return {
    change,
    events: [event],
    payments: [
      {
        id: pending.id,
        partnerId,
        outcome: returnCode ? 'failed' : 'canceled',
        isPart: false,
        returnCode: returnCode ?? null,
      },
    ],
    ...(returnCode ? {} : { unwanted: { partnerId, key: pending.id } }),
  };
}
