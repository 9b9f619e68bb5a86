import { expect, test } from 'vitest';
import { amountsOf } from '../../test/fixture/management.ts';
import { partsOf, planOf, quotesOf } from '../../test/fixture/states.ts';
import { paymentProgress, paymentsOfPlan, paymentsOfQuote } from './payments.ts';

type Plan = ReturnType<typeof planOf>;
const view = (plan: Plan, credits: Record<number, number> = {}) =>
  paymentsOfPlan({ plan, management: { amounts: amountsOf(plan, credits), history: [] } });

test('the payments of each quote add up to its total, with the fee in the first', () => {
  for (const quote of quotesOf(152011)) {
    const payments = paymentsOfQuote(quote);
    const sum = payments.reduce((left, payment) => left + payment.amountInCents, 0);
    expect(sum).toBe(quote.total_of_payments_in_cents);
    expect(payments.map((payment) => payment.feeInCents > 0)).toEqual(
      payments.map((payment) => payment.number === 1),
    );
  }
});

test('a credited payment is not counted, and paid ones do not change', () => {
  const installments = partsOf(152012, 4, ['paid', 'scheduled', 'scheduled', 'canceled']);
  const payments = view(planOf(4, { installments }), { 4: 38003 });
  expect(paymentProgress(payments)).toMatchObject({ paidCount: 1, count: 3 });
  expect(payments.map((it) => it.amountInCents)).toEqual([41003, 38003, 38003, 0]);
  expect(payments.map((it) => it.creditedInCents)).toEqual([0, 0, 0, 38003]);
});

test('after a charge-off, everything that is neither paid nor credited is still owed', () => {
  const installments = partsOf(152012, 4, ['paid', 'canceled', 'canceled', 'canceled']);
  const payments = view(planOf(4, { state: 'charged_off', installments }), { 4: 38003 });
  expect(paymentProgress(payments)).toMatchObject({ paidCount: 1, count: 3 });
  expect(payments.map((it) => it.state)).toEqual(['paid', 'overdue', 'overdue', 'canceled']);
});

test('open payments are neither paid nor canceled, and the first of them is next', () => {
  const plan = planOf(4, { installments: partsOf(152012, 4, ['paid', 'failed']) });
  const payments = view(plan);
  const progress = paymentProgress(payments);
  expect(progress).toMatchObject({ paidCount: 1, count: 4 });
  expect(progress.next?.number).toBe(2);
  expect(progress.late.map((payment) => payment.number)).toEqual([2]);
  // "Nothing left after it" would be wrong beside a payment that is late.
  expect(payments.map((payment) => payment.leftInCents)).toEqual([null, null, null, null]);
});

test('each open payment has the amount left after it, in order of due dates', () => {
  const plan = planOf(4, { installments: partsOf(152012, 4, ['paid']) });
  const [first, second, third, last] = plan.installments;
  if (!first || !second || !third || !last) throw new Error('four parts expected');
  const moved = { ...second, due_date: '2026-02-28' };
  const payments = view({ ...plan, installments: [first, moved, third, last] });
  expect(payments.map((payment) => payment.number)).toEqual([1, 3, 4, 2]);
  expect(payments.map((payment) => payment.leftInCents)).toEqual([null, 76006, 38003, 0]);
});
