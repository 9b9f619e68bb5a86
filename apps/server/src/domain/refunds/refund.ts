import type { RefundInput, RefundOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { requireMoneyRunning } from '../controls/money-switch.ts';
import { post } from '../ledger/post.ts';
import { findPayoutSetting } from '../partners/payout-setting.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { requestRefunds } from '../payments/refund-calls.ts';
import { type LivePlan, loadPlan } from '../plans/live-plan.ts';
import { lossToUndo } from '../plans/plan-loss.ts';
import { Refusal } from '../refusal.ts';
import { lockSettlement } from '../settlements/lock.ts';
import { readPaidCharges } from '../settlements/paid-charges.ts';
import type { TenantTime } from '../tenants/time.ts';
import { creditParts } from './credit-parts.ts';
import { findRefund } from './list-refunds.ts';
import { saveCredit } from './save-credit.ts';

interface Input {
  readonly id: string;
  readonly input: RefundInput;
}

/**
 * Records that the portal sent part of a settlement back, because the landlord credited the tenant. The
 * amount reduces what the tenant still owes; the rest is refunded to the tenant's account.
 */
export async function refundSettlement(
  ctx: Ctx<PartnerActor>,
  { id: settlementId, input }: Input,
): Promise<RefundOutput> {
  const { settlement, at } = await lockSettlement(ctx, settlementId);
  const { plan_id: planId, tenantId } = settlement;
  const { partnerId } = ctx.actor;
  const before = await loadPlan(ctx.tx, { partnerId, tenantId, planId });
  if (!before) throw new Error(`settlement ${settlementId} has no plan`);
  if (settlement.status !== 'verified' || before.state === 'canceled') {
    throw new Refusal('refund_not_possible');
  }
  await requireRefundable(ctx, input, {
    planId,
    limit: settlement.amount_in_cents - settlement.refunded_in_cents,
  });
  const credit = creditParts(before.parts, input.amount_in_cents, at);
  const loss = await lossToUndo(ctx.tx, before);
  const recovered = Math.min(input.amount_in_cents - credit.creditedInCents, loss);
  await requireMoneyRunning(ctx.tx);
  const split = {
    credited: credit.creditedInCents,
    recovered,
    paidBack: input.amount_in_cents - credit.creditedInCents - recovered,
  };
  // With payouts, the portal sends nothing: the next payout is less by this amount.
  const deducted = (await findPayoutSetting(ctx.tx, partnerId)) !== undefined;
  if (deducted && input.processor_transaction_id !== undefined) throw nothingToSend();
  const refundId = await insertRefund(ctx, { settlementId, input, split, at, deducted });
  await postRefund(ctx, before, { refundId, split, at, deducted });
  const { credited, paidBack } = split;
  const off = credited + recovered;
  await saveCredit(ctx, before, {
    parts: credited > 0 ? credit.parts : before.parts,
    at,
    change: 'refunded',
    history: [
      ...(off > 0 ? [{ kind: 'credited', amountInCents: off } as const] : []),
      ...(paidBack > 0 ? [{ kind: 'refunded', amountInCents: paidBack } as const] : []),
    ],
    mail: { credited_in_cents: off, refunded_in_cents: paidBack },
  });
  return findRefund(ctx, refundId);
}

function nothingToSend(): Refusal {
  const message = 'is not allowed: the refund is deducted from your next payout';
  return new Refusal('validation_failed', {
    errors: [{ param: 'processor_transaction_id', code: 'invalid_value', message }],
  });
}

interface Split {
  /** Reduces what the tenant owes. */
  readonly credited: number;
  /** Reduces a loss that we had charged off. */
  readonly recovered: number;
  /** Goes back to the tenant's account or card. */
  readonly paidBack: number;
}

async function requireRefundable(
  ctx: Ctx<PartnerActor>,
  { amount_in_cents, charge_id }: RefundInput,
  { planId, limit }: { planId: string; limit: number },
): Promise<void> {
  const errors = [];
  if (amount_in_cents > limit) {
    const message = `must be at most ${limit}, what is left of the settlement`;
    errors.push({ param: 'amount_in_cents', code: 'too_big', message });
  }
  const paid = await readPaidCharges(ctx, { partnerId: ctx.actor.partnerId, planId });
  if (charge_id !== undefined && !paid.some((it) => it.charge_id === charge_id)) {
    const message = 'must be a charge that the settlement paid';
    errors.push({ param: 'charge_id', code: 'invalid_value', message });
  }
  if (errors.length > 0) throw new Refusal('validation_failed', { errors });
}

async function insertRefund(
  { tx, now, actor }: Ctx<PartnerActor>,
  refund: {
    settlementId: string;
    input: RefundInput;
    split: Split;
    at: TenantTime;
    deducted: boolean;
  },
): Promise<string> {
  const { settlementId, input, split, at, deducted } = refund;
  const id = newId('rfd', now);
  await tx.run(sql`
    insert into refund (partner_id, id, settlement_id, charge_id, amount_in_cents,
      credited_in_cents, paid_back_in_cents, deducted, processor_transaction_id, reason, occurred_at,
      created_at)
    values (${actor.partnerId}, ${id}, ${settlementId}, ${input.charge_id ?? null},
      ${input.amount_in_cents}, ${split.credited + split.recovered}, ${split.paidBack}, ${deducted},
      ${input.processor_transaction_id ?? null}, ${input.reason ?? null}, ${at}, ${now})`);
  return id;
}

async function postRefund(
  ctx: Ctx,
  { id: planId, partnerId, tenantId, timeZone, method }: LivePlan,
  refund: { refundId: string; split: Split; at: TenantTime; deducted: boolean },
): Promise<void> {
  const { refundId, split, at, deducted } = refund;
  const { credited, recovered, paidBack } = split;
  await post(ctx, [
    {
      partnerId,
      tenantId,
      kind: 'refund',
      sourceId: refundId,
      occurredAt: at,
      entries: [
        {
          kind: deducted ? 'partner_payable' : 'cash',
          amountInCents: credited + recovered + paidBack,
        },
        { kind: 'tenant_receivable', amountInCents: -credited },
        { kind: 'credit_loss', amountInCents: -recovered },
        { kind: 'processor_clearing', amountInCents: -paidBack },
      ],
    },
  ]);
  if (paidBack === 0) return;
  const movement = { partnerId, tenantId, methodId: method.id, timeZone, at };
  recordProcessorEntries(ctx, [{ ...movement, sourceId: refundId, amountInCents: -paidBack }]);
  const refundRequest = {
    partnerId,
    tenantId,
    planId,
    sourceId: refundId,
    amountInCents: paidBack,
  };
  if ((await requestRefunds(ctx, refundRequest)) === 0) return;
  throw new Refusal('refund_not_possible', {
    message:
      'More would go back to the tenant than we have of the tenant’s payments. If a payment is still on its way, report the refund again when it has its outcome.',
  });
}
