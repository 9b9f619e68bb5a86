import type { OwnPlanOutput } from '@svc/contract';
import { expect } from 'vitest';

/** Checks that the amounts of a plan add up and match its receipts and history. */
export function checkAmounts({ plan, management }: OwnPlanOutput): void {
  const { amounts, receipts, history } = management;
  const parts = amounts.installments;
  for (const it of [amounts, ...parts]) {
    const { agreed_in_cents, credited_in_cents, canceled_in_cents, paid_in_cents } = it;
    expect(credited_in_cents + canceled_in_cents + paid_in_cents + it.left_in_cents).toBe(
      agreed_in_cents,
    );
    for (const cents of Object.values(it).filter((value) => typeof value === 'number')) {
      expect(cents).toBeGreaterThanOrEqual(0);
    }
  }
  const sums = [
    'agreed_in_cents',
    'credited_in_cents',
    'canceled_in_cents',
    'paid_in_cents',
    'left_in_cents',
  ] as const;
  for (const key of sums) expect(sum(parts.map((it) => it[key]))).toBe(amounts[key]);
  expect(sum(parts.map((it) => (it.is_late ? it.left_in_cents : 0)))).toBe(amounts.late_in_cents);
  expect(amounts.agreed_in_cents).toBe(plan.total_of_payments_in_cents);
  expect(sum(receipts.map((it) => it.amount_in_cents))).toBe(amounts.paid_in_cents);
  const inHistory = (kind: string) =>
    sum(history.map((it) => (it.kind === kind ? (it.amount_in_cents ?? 0) : 0)));
  expect(inHistory('fee_waived')).toBe(amounts.waived_in_cents);
  expect(inHistory('credited')).toBe(amounts.credited_in_cents - amounts.waived_in_cents);
  if (plan.state !== 'canceled') expect(inHistory('refunded')).toBe(amounts.refunded_in_cents);
  if (plan.state === 'completed') expect(amounts.left_in_cents).toBe(0);
}

function sum(cents: readonly number[]): number {
  return cents.reduce((total, it) => total + it, 0);
}
