import type { ExperienceState, QuoteOutput } from '@svc/contract';

export type PaymentState = 'scheduled' | 'processing' | 'paid' | 'failed' | 'overdue' | 'canceled';

/** One line of the schedule: what leaves the tenant's account on a day, the fee included. */
export interface Payment {
  id: string;
  number: number;
  dueDate: string;
  amountInCents: number;
  feeInCents: number;
  state: PaymentState;
}

type Plan = NonNullable<ExperienceState['plan']>;

export function paymentsOfQuote(quote: QuoteOutput): Payment[] {
  const fee = feeBeside(quote.installments, quote.amount_financed_in_cents, quote.fee_in_cents);
  return quote.installments.map((part) => ({
    id: `${quote.id}-${part.number}`,
    number: part.number,
    dueDate: part.due_date,
    amountInCents: part.amount_in_cents + (part.number === 1 ? fee : 0),
    feeInCents: part.number === 1 ? quote.fee_in_cents : 0,
    state: 'scheduled',
  }));
}

export function paymentsOfPlan(plan: Plan): Payment[] {
  const fee = feeBeside(plan.installments, plan.amount_financed_in_cents, plan.fee_in_cents);
  return plan.installments.map((part) => ({
    id: part.id,
    number: part.number,
    dueDate: part.due_date,
    amountInCents: part.amount_in_cents + (part.number === 1 ? fee : 0),
    feeInCents: part.number === 1 ? plan.fee_in_cents : 0,
    state: part.state,
  }));
}

/** What is paid, what is left and which payment comes next. */
export function progressOf(payments: readonly Payment[]) {
  const paid = payments.filter((payment) => payment.state === 'paid');
  const open = payments.filter((payment) => !['paid', 'canceled'].includes(payment.state));
  return {
    paidCount: paid.length,
    paidInCents: sum(paid),
    leftInCents: sum(open),
    next: open[0] ?? null,
    late: open.filter((payment) => ['failed', 'overdue'].includes(payment.state)),
  };
}

/** One part of an even split. Left-over cents go to the first part, so it may not be exact. */
export function evenPart(principalInCents: number, count: number) {
  return {
    cents: Math.floor(principalInCents / count),
    isExact: principalInCents % count === 0,
  };
}

/** The parts sum to the principal (contract §6); the fee comes on top of the first. */
function feeBeside(
  parts: readonly { amount_in_cents: number }[],
  principal: number,
  fee: number,
): number {
  const total = parts.reduce((left, part) => left + part.amount_in_cents, 0);
  return total === principal ? fee : 0;
}

function sum(payments: readonly Payment[]): number {
  return payments.reduce((left, payment) => left + payment.amountInCents, 0);
}
