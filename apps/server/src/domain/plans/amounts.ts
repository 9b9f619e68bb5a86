import { installmentStates, type PlanAmounts, planStates } from '@svc/contract';
import { z } from 'zod';

const partSchema = z.object({
  number: z.int(),
  state: z.enum(installmentStates),
  amountInCents: z.int(),
  agreedInCents: z.int(),
  /** The amount paid of an installment that is not paid in full: a part payment, or what a chargeback left. */
  partPaidInCents: z.int(),
  creditedInCents: z.int(),
});
type Part = Readonly<z.infer<typeof partSchema>>;

/** The input of `planAmounts`, as JSON. */
export const amountsSchema = z.object({
  state: z.enum(planStates),
  parts: z.array(partSchema.readonly()).readonly(),
  /** All credits that reduced the debt, before and after a charge-off. */
  creditedInCents: z.int(),
  /** The part of `creditedInCents` that is our waiver of the fee. The rest is the landlord's. */
  waivedInCents: z.int(),
  /**
   * The amount sent back to the tenant's account: credits beyond the debt, won disputes paid twice, and payments
   * that an operator gave back.
   */
  refundedInCents: z.int(),
  /** The part of a charge-off that was not recovered; 0 for any other plan. */
  lostInCents: z.int(),
  /** The numbers of the installments for which more arrived than `partPaidInCents` and was not returned. */
  received: z.array(z.int()).readonly(),
});
export type AmountsInput = Readonly<z.infer<typeof amountsSchema>>;

/**
 * Computes the amounts that a tenant agreed to, was credited, has paid and still owes, in total and by
 * installment. Every screen, mail and document takes its amounts from here. Pure.
 *
 * Totals and each installment obey: agreed = credited + canceled + paid + left.
 */
export function planAmounts(input: AmountsInput): PlanAmounts {
  const installments = input.state === 'charged_off' ? chargedOff(input) : input.parts.map(amounts);
  const sum = (of: (it: PlanAmounts['installments'][number]) => number) =>
    installments.reduce((total, it) => total + of(it), 0);
  const paid = sum((it) => it.paid_in_cents);
  return {
    agreed_in_cents: sum((it) => it.agreed_in_cents),
    credited_in_cents: sum((it) => it.credited_in_cents),
    waived_in_cents: input.waivedInCents,
    canceled_in_cents: sum((it) => it.canceled_in_cents),
    paid_in_cents: paid,
    left_in_cents: sum((it) => it.left_in_cents),
    late_in_cents: sum((it) => (it.is_late ? it.left_in_cents : 0)),
    // A simulation's reset cancels a running plan and gives everything back.
    refunded_in_cents: input.state === 'canceled' ? paid : input.refundedInCents,
    installments,
  };

  function amounts(part: Part): PlanAmounts['installments'][number] {
    const none = amountsOfCanceled(part);
    switch (part.state) {
      case 'paid':
        return { ...none, paid_in_cents: part.amountInCents };
      case 'scheduled':
      case 'processing':
        return { ...none, left_in_cents: part.amountInCents };
      case 'failed':
      case 'overdue':
        return { ...none, left_in_cents: part.amountInCents, is_late: true };
      case 'canceled':
        return {
          ...none,
          canceled_in_cents: part.agreedInCents - part.creditedInCents - part.partPaidInCents,
        };
    }
  }
}

/**
 * Computes the installments of a charged-off plan. A charge-off cancels what was unpaid, but the tenant still
 * owes it. Later recoveries are booked against the loss as a whole: a dispute that we won pays its own
 * installment, and credits come off the last installments first.
 */
function chargedOff({ parts, creditedInCents, lostInCents, received }: AmountsInput) {
  const lost = parts.filter(isLost);
  const creditedBefore = parts.reduce((sum, it) => sum + it.creditedInCents, 0);
  let credit = creditedInCents - creditedBefore;
  let won = lost.reduce((sum, it) => sum + it.amountInCents, 0) - lostInCents - credit;
  const wonFor = new Map<number, number>();
  const inOrder = [...lost].sort(
    (a, b) => Number(received.includes(b.number)) - Number(received.includes(a.number)),
  );
  for (const { number, amountInCents } of inOrder) {
    const paid = Math.min(won, amountInCents);
    wonFor.set(number, paid);
    won -= paid;
  }
  const after = [...parts].reverse().map((part) => {
    const none = amountsOfCanceled(part);
    if (part.state === 'paid') return { ...none, paid_in_cents: part.amountInCents };
    if (!isLost(part)) return none;
    const paid = wonFor.get(part.number) ?? 0;
    const off = Math.min(credit, part.amountInCents - paid);
    credit -= off;
    const left = part.amountInCents - paid - off;
    return {
      ...none,
      credited_in_cents: part.creditedInCents + off,
      paid_in_cents: part.partPaidInCents + paid,
      left_in_cents: left,
      is_late: left > 0,
    };
  });
  return after.reverse();
}

/** Returns whether an installment was canceled by the charge-off, not by a credit. */
function isLost({ state, agreedInCents, creditedInCents, partPaidInCents }: Part): boolean {
  return state === 'canceled' && creditedInCents + partPaidInCents < agreedInCents;
}

function amountsOfCanceled({ number, agreedInCents, creditedInCents, partPaidInCents }: Part) {
  return {
    number,
    agreed_in_cents: agreedInCents,
    credited_in_cents: creditedInCents,
    canceled_in_cents: 0,
    paid_in_cents: partPaidInCents,
    left_in_cents: 0,
    is_late: false,
  };
}
