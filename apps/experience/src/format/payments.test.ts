import { expect, test } from 'vitest';
import { partsOf, planOf, quotesOf } from '../../test/fixture/states.ts';
import { evenPart, paymentsOfPlan, paymentsOfQuote, progressOf } from './payments.ts';

test('the payments of each quote add up to its total, the fee in the first', () => {
  for (const quote of quotesOf(152011)) {
    const payments = paymentsOfQuote(quote);
    const sum = payments.reduce((left, payment) => left + payment.amountInCents, 0);
    expect(sum).toBe(quote.total_of_payments_in_cents);
    expect(payments.map((payment) => payment.feeInCents > 0)).toEqual(
      payments.map((payment) => payment.number === 1),
    );
  }
});

test('a fee that the parts already hold is not added twice', () => {
  const plan = planOf(2);
  const [first, second] = plan.installments;
  if (first === undefined || second === undefined) throw new Error('two parts expected');
  const withFee = { ...first, amount_in_cents: first.amount_in_cents + plan.fee_in_cents };
  const payments = paymentsOfPlan({ ...plan, installments: [withFee, second] });
  expect(payments[0]?.amountInCents).toBe(withFee.amount_in_cents);
});

test('what is left is what is neither paid nor canceled, and the first of it comes next', () => {
  const plan = planOf(4, { installments: partsOf(152012, 4, ['paid', 'failed']) });
  const progress = progressOf(paymentsOfPlan(plan));
  expect(progress).toMatchObject({ paidCount: 1, paidInCents: 41003, leftInCents: 114009 });
  expect(progress.next?.number).toBe(2);
  expect(progress.late.map((payment) => payment.number)).toEqual([2]);
});

test('an even part says whether it is exact', () => {
  expect(evenPart(152012, 4)).toEqual({ cents: 38003, isExact: true });
  expect(evenPart(152012, 3)).toEqual({ cents: 50670, isExact: false });
});
