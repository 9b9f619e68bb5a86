import type { PlanManagement } from '@svc/contract';
import type { Terms } from '../partners/terms.ts';
import type { LivePart } from './live-plan.ts';

type PartPayment = PlanManagement['installments'][number]['part_payment'];

/** Returns how much of an open installment may be paid on its own. Null if it is too small to be divided. */
export function partPayment(
  { amountInCents }: LivePart,
  { partPaymentMinimumInCents: least }: Terms,
): PartPayment {
  const most = amountInCents - least;
  return most < least ? null : { least_in_cents: least, most_in_cents: most };
}
