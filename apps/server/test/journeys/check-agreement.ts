import type { OwnPlanOutput, QuoteOutput } from '@svc/contract';
import { expect } from 'vitest';
import { centsIn, sum } from './read-shown-amounts.ts';

type Agreed = Pick<
  QuoteOutput | OwnPlanOutput['plan'],
  'amount_financed_in_cents' | 'fee_in_cents' | 'total_of_payments_in_cents'
>;

/** Checks that the payments of an agreement add up to its total, and that it has no other amounts. */
export function checkAgreement(text: string, agreed: Agreed): void {
  const { total_of_payments_in_cents: total, amount_financed_in_cents: financed } = agreed;
  const scheduled = [...text.matchAll(/^\d\. .*$/gm)].flatMap(([line]) => centsIn(line));
  expect(sum(scheduled)).toBe(total);
  expect(financed + agreed.fee_in_cents).toBe(total);
  const known = [0, total, financed, agreed.fee_in_cents, ...scheduled];
  const named = centsIn(text);
  expect(named.filter((it) => !known.includes(it))).toEqual([]);
  expect(named).toEqual(expect.arrayContaining([total, financed, agreed.fee_in_cents]));
}
