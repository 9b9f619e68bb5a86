import type { ExperienceState, QuoteOutput } from '@svc/contract';

export type PaymentState = 'scheduled' | 'processing' | 'paid' | 'failed' | 'overdue' | 'canceled';

/** One line of the schedule: what leaves the tenant's account on a day, the first with the fee. */
export interface Payment {
  id: string;
  number: number;
  dueDate: string;
  amountInCents: number;
  feeInCents: number;
  /** Of all that is not paid by then, when it is not paid yet itself. */
  leftInCents: number | null;
  state: PaymentState;
}

type Plan = NonNullable<ExperienceState['plan']>;

export function paymentsOfQuote(quote: QuoteOutput): Payment[] {
  return withLeft(
    quote.installments.map((part) => ({
      id: `${quote.id}-${part.number}`,
      number: part.number,
      dueDate: part.due_date,
      amountInCents: part.amount_in_cents,
      feeInCents: part.number === 1 ? quote.fee_in_cents : 0,
      state: 'scheduled',
    })),
  );
}

/** Of a plan that was written off, what we stopped taking is still owed. */
export function paymentsOfPlan(plan: Plan): Payment[] {
  const isOwed = plan.state === 'charged_off';
  return withLeft(
    plan.installments.map((part) => ({
      id: part.id,
      number: part.number,
      dueDate: part.due_date,
      amountInCents: part.amount_in_cents,
      feeInCents: part.number === 1 ? plan.fee_in_cents : 0,
      state: isOwed && part.state === 'canceled' ? 'overdue' : part.state,
    })),
  );
}

/** By day, as they fall due, each with what is left after it. */
export function withLeft(payments: readonly Omit<Payment, 'leftInCents'>[]): Payment[] {
  let left = payments.reduce(
    (sum, payment) => sum + (isOpen(payment) ? payment.amountInCents : 0),
    0,
  );
  return payments
    .toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : Number(a.dueDate > b.dueDate)))
    .map((payment) => {
      if (!isOpen(payment)) return { ...payment, leftInCents: null };
      left -= payment.amountInCents;
      return { ...payment, leftInCents: left };
    });
}

export function isOpen({ state }: { state: PaymentState }): boolean {
  return state !== 'paid' && state !== 'canceled';
}

/** What is paid, what is left and which payment comes next. */
export function progressOf(payments: readonly Payment[]) {
  const paid = payments.filter((payment) => payment.state === 'paid');
  const open = payments.filter(isOpen);
  return {
    open,
    paidCount: paid.length,
    count: paid.length + open.length,
    paidInCents: sum(paid),
    leftInCents: sum(open),
    next: open[0] ?? null,
    late: open.filter((payment) => ['failed', 'overdue'].includes(payment.state)),
  };
}

/** An even split: what is paid today, fee and left-over cents in it, and each of the others. */
export function evenSplit(principalInCents: number, feeInCents: number, count: number) {
  const each = Math.floor(principalInCents / count);
  return { today: principalInCents - each * (count - 1) + feeInCents, each };
}

function sum(payments: readonly Payment[]): number {
  return payments.reduce((left, payment) => left + payment.amountInCents, 0);
}
