import {
  mayMove,
  type SettlementInput,
  type SettlementOutput,
  type SettlementStatus,
  settlementTransitions,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { type Entry, post, type TransferKind } from '../ledger/post.ts';
import { Refusal } from '../refusal.ts';
import { debitName, debitsSent } from './debits.ts';
import { lockSettlement } from './lock.ts';
import { readSettlement } from './read.ts';
import { refuseOwnDebit } from './refuse-in-payout.ts';

interface Input {
  readonly id: string;
  readonly input: SettlementInput;
}

/**
 * Stores the status that the partner reports for its debit, posts the transfers and emits the events.
 * Repeating the call changes nothing, but may add the debit's id.
 */
export async function updateSettlement(
  ctx: Ctx<PartnerActor>,
  { id, input }: Input,
): Promise<SettlementOutput> {
  const { settlement: before, subject, at } = await lockSettlement(ctx, id);
  const { status: to } = input;
  if (input.failure_reason !== undefined && to !== 'failed') throw reasonWithoutFailure();
  await refuseOwnDebit(ctx, before);
  requireSameDebit(before, input);
  if (before.status === to) return addDebitId(ctx, before, input);
  if (to === 'unsettled') throw onlyOperator();
  requireMove(before.status, to);
  const { partnerId } = ctx.actor;
  const sent = await debitsSent(ctx.tx, { partnerId, settlementId: id });
  const sourceId = debitName(id, before.status === 'unverified' ? sent : sent + 1);
  await ctx.tx.run(sql`
    update settlement set status = ${to}, version = version + 1, updated_at = ${ctx.now},
      processor_transaction_id
        = coalesce(${input.processor_transaction_id ?? null}, processor_transaction_id),
      failure_reason = ${input.failure_reason ?? null}
    where partner_id = ${partnerId} and id = ${id}`);
  const transfers = transfersOf(before.status, to, before.amount_in_cents);
  if (transfers.length > 0) {
    await post(
      ctx,
      transfers.map(([kind, entries]) => {
        return { partnerId, tenantId: null, kind, sourceId, occurredAt: at, entries };
      }),
    );
  }
  const after = await readSettlement(ctx, { id });
  emit(ctx, subject, eventsOf(before.status, after));
  return after;
}

/** A debit keeps its id, because the report is compared with the bank's statement by it. */
function requireSameDebit(
  { status, processor_transaction_id: known }: SettlementOutput,
  { processor_transaction_id: reported }: SettlementInput,
): void {
  if (status === 'unsettled' || known === null || reported === undefined || reported === known)
    return;
  const message = `must be ${known}, the id that this debit was reported under`;
  throw new Refusal('validation_failed', {
    errors: [{ param: 'processor_transaction_id', code: 'invalid_value', message }],
  });
}

async function addDebitId(
  ctx: Ctx<PartnerActor>,
  settlement: SettlementOutput,
  { processor_transaction_id: reported }: SettlementInput,
): Promise<SettlementOutput> {
  const { id, processor_transaction_id: known } = settlement;
  if (reported === undefined || reported === known) return settlement;
  await ctx.tx.run(sql`
    update settlement set processor_transaction_id = ${reported}, version = version + 1,
      updated_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and id = ${id}`);
  return readSettlement(ctx, { id });
}

export function requireMove(from: SettlementStatus, to: SettlementStatus): void {
  if (mayMove(settlementTransitions, from, to)) return;
  throw new Refusal('settlement_transition_invalid', {
    message: `A settlement that is ${from} cannot become ${to}.`,
  });
}

/** A debit in flight is in the clearing account until it arrives or fails. */
function transfersOf(
  from: SettlementStatus,
  to: SettlementStatus,
  amountInCents: number,
): [TransferKind, Entry[]][] {
  const move = (debit: Entry['kind'], credit: Entry['kind']): Entry[] => [
    { kind: debit, amountInCents },
    { kind: credit, amountInCents: -amountInCents },
  ];
  const sent = move('partner_payable', 'settlement_clearing');
  const arrived = move('settlement_clearing', 'cash');
  if (to === 'unverified') return [['settlement_sent', sent]];
  const wasSent = from === 'unverified';
  if (to === 'verified') {
    return [
      ...(wasSent ? [] : [['settlement_sent', sent] as [TransferKind, Entry[]]]),
      ['settlement_arrived', arrived],
    ];
  }
  return wasSent ? [['settlement_returned', move('settlement_clearing', 'partner_payable')]] : [];
}

/** The new status, and a second event if the debit failed or was returned. */
export function eventsOf(old_status: SettlementStatus, after: SettlementOutput): NewEvent[] {
  const { version } = after;
  const data = {
    settlement_id: after.id,
    plan_id: after.plan_id,
    amount_in_cents: after.amount_in_cents,
    charges_paid: after.charges_paid,
    charges_and_amounts_paid: after.charges_and_amounts_paid,
    rent_cycle_date: after.rent_cycle_date,
    debit_by: after.debit_by,
  };
  const new_status = after.status;
  const events: NewEvent[] = [
    { type: 'settlement.updated', version, data: { ...data, old_status, new_status } },
  ];
  if (new_status === 'failed' || new_status === 'returned') {
    const { failure_reason } = after;
    events.push({ type: 'settlement.failed', version, data: { ...data, failure_reason } });
  }
  return events;
}

function onlyOperator(): Refusal {
  const message = 'Only the operator can make a settlement unsettled again.';
  return new Refusal('settlement_transition_invalid', { message });
}

function reasonWithoutFailure(): Refusal {
  const message = 'is allowed only with the status "failed"';
  return new Refusal('validation_failed', {
    errors: [{ param: 'failure_reason', code: 'invalid_value', message }],
  });
}
