import type { InstallmentState } from '@svc/contract';
import { bigint, instant, oneOf, type RowOf, recordset, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post, type Transfer } from '../ledger/post.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import { cancelCall, insertCalls, type NewCall } from '../payments/calls.ts';
import type { ChargeRequest } from '../payments/processor.ts';
import { type Movement, recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { createSettlements, type NewSettlement } from '../settlements/create.ts';
import { subjectOf } from './live-plan.ts';
import { type EndedPayment, type PlanChange, saveChanges } from './save-change.ts';

const newChargeRow = row('new charge', {
  id: text,
  partnerId: text,
  installmentId: text,
  amountInCents: bigint,
  kind: oneOf('tenant', 'scheduled', 'retry'),
  methodId: text,
  /** Tenant time. */
  at: instant,
  /** Tenant time, when a slow bank answers. */
  settlesAt: instant,
});

/** An attempt to take money for an installment, before the processor is called. */
export interface NewCharge extends RowOf<typeof newChargeRow> {
  readonly tenantId: string;
  readonly occasion: ChargeRequest['occasion'];
  /** The installment's state before the attempt. */
  readonly partState: InstallmentState;
}

/**
 * Everything that one action on a plan writes and emits, as data. Deciding on it writes nothing, so
 * that a job can decide for many plans and then write the rows of all of them together.
 */
export interface PlanStep {
  readonly change: PlanChange;
  readonly events: readonly NewEvent[];
  readonly charges?: readonly NewCharge[];
  readonly payments?: readonly EndedPayment[];
  readonly transfers?: readonly Transfer[];
  readonly movements?: readonly Movement[];
  readonly settlement?: NewSettlement;
  /** The call of a payment that is no longer wanted: the processor is asked to stop it. */
  readonly unwanted?: { readonly partnerId: string; readonly key: string };
}

/**
 * Emits the events of steps of different plans and writes their rows, one statement for each kind.
 * Two steps of one plan need two calls: the second attempt's number counts the first.
 */
export async function writeSteps(uow: UnitOfWork, steps: readonly PlanStep[]): Promise<void> {
  for (const { change, events } of steps) {
    if (events.length > 0) emit(uow, subjectOf(change.plan, change.at), events);
  }
  const charges = steps.flatMap((it) => it.charges ?? []);
  const payments = steps.flatMap((it) => it.payments ?? []);
  const transfers = steps.flatMap((it) => it.transfers ?? []);
  const movements = steps.flatMap((it) => it.movements ?? []);
  const settlements = steps.flatMap((it) => it.settlement ?? []);
  if (charges.length > 0) insertCharges(uow, charges);
  if (movements.length > 0) recordProcessorEntries(uow, movements);
  if (settlements.length > 0) createSettlements(uow, settlements);
  for (const { unwanted } of steps) if (unwanted) cancelCall(uow, unwanted);
  if (steps.length > 0) {
    const changes = steps.map((it) => it.change);
    saveChanges(uow, changes, payments);
  }
  if (transfers.length > 0) await post(uow, transfers);
}

/** Writes the payments and the intents of their calls. */
function insertCharges(uow: UnitOfWork, charges: readonly NewCharge[]): void {
  const { tx, now } = uow;
  const rows = charges.map(
    ({ tenantId: _tenant, occasion: _occasion, partState: _state, ...it }) => it,
  );
  tx.send(sql`
    insert into payment (id, partner_id, installment_id, attempt, amount_in_cents, outcome, kind,
      payment_method_id, settles_at, occurred_at, created_at)
    select p.id, p.partner_id, p.installment_id,
      (select count(*) + 1 from payment y
        where y.partner_id = ${partnerOfRows(rows, sql`p.partner_id`)}
          and y.installment_id = p.installment_id),
      p.amount_in_cents, 'pending', p.kind, p.method_id, p.settles_at, p.at, ${now}::timestamptz
    from ${recordset(newChargeRow, rows, 'p')}`);
  tx.send(insertCalls(uow, charges.map(callOf)));
}

/** Returns the call that takes the money. Its key is the payment's id, so each attempt has a different one. */
export function callOf(charge: NewCharge): NewCall {
  const { id, partnerId, tenantId, methodId, amountInCents, occasion, partState } = charge;
  return {
    key: id,
    paymentId: id,
    sourceId: id,
    partnerId,
    tenantId,
    methodId,
    amountInCents,
    kind: 'charge',
    occasion,
    partState,
    state: 'sent',
  };
}
