import type { PlanAmounts, PlanManagement, PlanOutput, QuoteOutput } from '@svc/contract';
import { originalDays } from './plan-dates.ts';

type PaymentState = PlanOutput['installments'][number]['state'];

/** One line of a schedule. */
export interface Payment {
  id: string;
  number: number;
  dueDate: string;
  /** Cents: the amount still owed or, once paid, the amount paid. Credits are already deducted. */
  amountInCents: number;
  creditedInCents: number;
  /** The part of an open payment that is paid: money recovered after a charge-off. */
  partlyPaidInCents: number;
  /** The part of the amount that is the fee. */
  feeInCents: number;
  /** Cents still owed on the plan after this payment; null where that would be misleading. */
  leftInCents: number | null;
  state: PaymentState;
  /** The agreed amount and date, set only if one of them changed later. */
  originally?: { amountInCents: number | null; dueDate: string | null };
}

/** A plan with the amounts that the server computed for it, and its history. */
export interface PlanWithAmounts {
  readonly plan: PlanOutput;
  readonly management: Pick<PlanManagement, 'amounts' | 'history'>;
}

export function paymentsOfQuote(quote: QuoteOutput): Payment[] {
  return withRemaining(
    quote.installments.map((part) => ({
      id: `${quote.id}-${part.number}`,
      number: part.number,
      dueDate: part.due_date,
      amountInCents: part.amount_in_cents,
      creditedInCents: 0,
      partlyPaidInCents: 0,
      feeInCents: part.number === 1 ? quote.fee_in_cents : 0,
      state: 'scheduled',
    })),
  );
}

export function paymentsOfPlan({
  plan,
  management: { amounts, history },
}: PlanWithAmounts): Payment[] {
  const firstDays = originalDays(history);
  return withRemaining(
    plan.installments.flatMap((part) => {
      const partAmounts = amounts.installments.find(({ number }) => number === part.number);
      if (partAmounts === undefined) return [];
      const { credited_in_cents: creditedInCents, paid_in_cents, left_in_cents } = partAmounts;
      const { agreed_in_cents, canceled_in_cents } = partAmounts;
      const amountInCents = left_in_cents || paid_in_cents || canceled_in_cents;
      const firstDay = firstDays.get(part.number) ?? part.due_date;
      return {
        id: part.id,
        number: part.number,
        dueDate: part.due_date,
        amountInCents,
        creditedInCents,
        partlyPaidInCents: left_in_cents > 0 ? paid_in_cents : 0,
        // After a credit the remainder no longer splits into principal and fee.
        feeInCents: part.number === 1 && creditedInCents === 0 ? plan.fee_in_cents : 0,
        state: stateNow(plan, part.state, partAmounts),
        originally: {
          amountInCents: amountInCents === agreed_in_cents ? null : agreed_in_cents,
          dueDate: firstDay === part.due_date ? null : firstDay,
        },
      };
    }),
  );
}

/** Returns the state to show. A charge-off cancels the installments, but what is unpaid is still owed. */
function stateNow(
  plan: PlanOutput,
  state: PaymentState,
  partAmounts: PlanAmounts['installments'][number],
): PaymentState {
  if (plan.state !== 'charged_off') return state;
  if (partAmounts.left_in_cents > 0) return 'overdue';
  return partAmounts.paid_in_cents > 0 ? 'paid' : 'canceled';
}

/**
 * Sorts payments by due date and adds what is left after each open one. Null for all of them while
 * one is late, because the number assumes that the payments before it are made.
 */
export function withRemaining(payments: readonly Omit<Payment, 'leftInCents'>[]): Payment[] {
  const isBehind = payments.some(isLate);
  let left = sumInCents(payments.filter(isOpen));
  return payments
    .toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : Number(a.dueDate > b.dueDate)))
    .map((payment) => {
      if (!isOpen(payment) || isBehind) return { ...payment, leftInCents: null };
      left -= payment.amountInCents;
      return { ...payment, leftInCents: left };
    });
}

export function isOpen({ state }: { state: PaymentState }): boolean {
  return state !== 'paid' && state !== 'canceled';
}

function isLate({ state }: { state: PaymentState }): boolean {
  return state === 'failed' || state === 'overdue';
}

/** Returns the number of days from `today` to a date. */
export function daysUntil(date: string, today: string): number {
  return (Date.parse(date) - Date.parse(today)) / 86_400_000;
}

/** Returns which payments are paid, open, late and next. For sums, use the plan's amounts. */
export function paymentProgress(payments: readonly Payment[]) {
  const open = payments.filter(isOpen);
  const paidCount = payments.filter((payment) => payment.state === 'paid').length;
  return {
    open,
    paidCount,
    count: paidCount + open.length,
    next: open[0] ?? null,
    late: open.filter(isLate),
  };
}

/** Returns the sum of payments in cents. For a plan's totals, use the amounts that the server computed. */
export function sumInCents(payments: readonly Pick<Payment, 'amountInCents'>[]): number {
  return payments.reduce((total, payment) => total + payment.amountInCents, 0);
}
