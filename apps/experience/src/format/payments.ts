import type { PlanAmounts, PlanOutput, QuoteOutput } from '@svc/contract';

export type PaymentState = PlanOutput['installments'][number]['state'];

/** One line of a schedule. */
export interface Payment {
  id: string;
  number: number;
  dueDate: string;
  /** Cents: the amount still owed or, once paid, the amount paid. Credits are already deducted. */
  amountInCents: number;
  creditedInCents: number;
  /** Paid of one that is still open: money that came back after a charge-off. */
  partlyPaidInCents: number;
  /** The part of the amount that is the fee. */
  feeInCents: number;
  /** Cents still owed on the plan after this payment; null where that would be misleading. */
  leftInCents: number | null;
  state: PaymentState;
}

/** A plan with the amounts that the server computed for it. */
export interface PlanWithAmounts {
  readonly plan: PlanOutput;
  readonly management: { readonly amounts: PlanAmounts };
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

export function paymentsOfPlan({ plan, management: { amounts } }: PlanWithAmounts): Payment[] {
  return withRemaining(
    plan.installments.flatMap((part) => {
      const of = amounts.installments.find(({ number }) => number === part.number);
      if (of === undefined) return [];
      const { credited_in_cents: creditedInCents, paid_in_cents, left_in_cents } = of;
      return {
        id: part.id,
        number: part.number,
        dueDate: part.due_date,
        amountInCents: left_in_cents || paid_in_cents || of.canceled_in_cents,
        creditedInCents,
        partlyPaidInCents: left_in_cents > 0 ? paid_in_cents : 0,
        // After a credit the remainder no longer splits into principal and fee.
        feeInCents: part.number === 1 && creditedInCents === 0 ? plan.fee_in_cents : 0,
        state: plan.state === 'charged_off' ? stateAfterChargeOff(of) : part.state,
      };
    }),
  );
}

/** A charge-off cancels the installments, but what is unpaid is still owed. */
function stateAfterChargeOff(of: PlanAmounts['installments'][number]): PaymentState {
  if (of.left_in_cents > 0) return 'overdue';
  return of.paid_in_cents > 0 ? 'paid' : 'canceled';
}

/**
 * By day, each open payment with what is left after it. While one is late no line says so: the
 * sentence assumes that those before it are paid.
 */
export function withRemaining(payments: readonly Omit<Payment, 'leftInCents'>[]): Payment[] {
  const isBehind = payments.some(isLate);
  let left = sum(payments.filter(isOpen));
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

/** Which payments are made, left, late and next. What they come to is in the plan's amounts. */
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

/** An even split: what is paid today, fee and left-over cents in it, and each of the others. */
export function evenSplit(principalInCents: number, feeInCents: number, count: number) {
  const each = Math.floor(principalInCents / count);
  return { today: principalInCents - each * (count - 1) + feeInCents, each };
}

/** The sum of the payments that the tenant has chosen, or of a schedule before there is a plan. */
export function sum(payments: readonly Pick<Payment, 'amountInCents'>[]): number {
  return payments.reduce((total, payment) => total + payment.amountInCents, 0);
}
