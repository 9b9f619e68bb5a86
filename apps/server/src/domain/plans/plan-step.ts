import { bigint, instant, nullable, oneOf, type RowOf, recordset, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post, type Transfer } from '../ledger/post.ts';
import { type Movement, recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { subjectOf } from './live-plan.ts';
import { type PlanChange, saveChanges } from './save-change.ts';

/** An attempt to take money for an installment. */
export type Payment = RowOf<typeof paymentRow>;

const paymentRow = row('new payment', {
  id: text,
  partnerId: text,
  installmentId: text,
  amountInCents: bigint,
  outcome: oneOf('succeeded', 'failed'),
  returnCode: nullable(text),
  kind: oneOf('tenant', 'scheduled', 'retry'),
  methodId: text,
  /** Tenant time. */
  at: instant,
});

/**
 * Everything that one action on a plan writes and emits, as data. Deciding on it writes nothing, so
 * that a job can decide for many plans and then write the rows of all of them together.
 */
export interface PlanStep {
  readonly change: PlanChange;
  readonly events: readonly NewEvent[];
  readonly payments?: readonly Payment[];
  readonly transfers?: readonly Transfer[];
  readonly movements?: readonly Movement[];
}

/**
 * Writes the steps of different plans, one statement for each kind of row, and emits their events.
 * Two steps of one plan need two calls: the second attempt's number counts the first.
 */
export async function writeSteps(uow: UnitOfWork, steps: readonly PlanStep[]): Promise<void> {
  const payments = steps.flatMap((it) => it.payments ?? []);
  const transfers = steps.flatMap((it) => it.transfers ?? []);
  const movements = steps.flatMap((it) => it.movements ?? []);
  await Promise.all([
    payments.length > 0 && insertPayments(uow, payments),
    transfers.length > 0 && post(uow, transfers),
    movements.length > 0 && recordProcessorEntries(uow, movements),
    steps.length > 0 &&
      saveChanges(
        uow,
        steps.map((it) => it.change),
      ),
  ]);
  for (const { change, events } of steps) {
    if (events.length > 0) emit(uow, subjectOf(change.plan, change.at), events);
  }
}

async function insertPayments(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  payments: readonly Payment[],
): Promise<void> {
  await tx.run(sql`
    insert into payment (id, partner_id, installment_id, attempt, amount_in_cents, outcome, return_code,
      kind, payment_method_id, occurred_at, created_at)
    select p.id, p."partnerId", p."installmentId",
      (select count(*) + 1 from payment y
        where y.partner_id = p."partnerId" and y.installment_id = p."installmentId"),
      p."amountInCents", p.outcome, p."returnCode", p.kind, p."methodId", p.at, ${now}::timestamptz
    from ${recordset(paymentRow, payments, 'p')}`);
}
