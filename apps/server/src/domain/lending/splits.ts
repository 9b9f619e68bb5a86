import type { Paydays } from '@svc/contract';
import type { Cycle } from '../charges/rent-cycle.ts';
import type { Terms } from '../partners/terms.ts';
import { localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { aprInBps } from './apr.ts';
import type { Lending } from './lending-rules.ts';
import { moveToPaydays, paydayDueDates } from './paydays.ts';
import { type Part, splitIntoParts } from './split.ts';

export interface SplitFacts {
  readonly cycle: Cycle;
  readonly at: TenantTime;
  readonly timeZone: string;
  readonly terms: Terms;
  /** The limits on cost in the home's state. */
  readonly lending: Lending;
}

/** The paydays on which the payments after the first are due. Null for the standard dates. */
export interface OnPaydays {
  readonly paydays: Paydays | null;
}

/** A number of payments, with what it costs. */
export interface Split {
  /** The payments with their dates. The first one includes the fee. */
  readonly payments: readonly Part[];
  /** Not rounded, so that a limit is compared with the exact rate. */
  readonly aprBps: number;
}

/** Returns the splits on offer right now: those that are possible, within the state's limits. */
export function offeredSplits(facts: SplitFacts & OnPaydays): Split[] {
  const { terms, lending } = facts;
  if (lending.military?.phone === null) return [];
  return possibleSplits(facts).filter((it) => exceededLimit(it, { terms, lending }) === null);
}

/** Returns the limit that a split exceeds, or null. */
export function exceededLimit(
  { aprBps }: Split,
  { terms, lending }: Pick<SplitFacts, 'terms' | 'lending'>,
): 'maximum_apr_bps' | 'maximum_fee_in_cents' | null {
  const { maximumAprBps, maximumFeeInCents } = lending;
  if (maximumFeeInCents !== null && terms.feeInCents > maximumFeeInCents) {
    return 'maximum_fee_in_cents';
  }
  return maximumAprBps !== null && aprBps > maximumAprBps ? 'maximum_apr_bps' : null;
}

/** Returns the numbers of payments on offer on the standard dates, so that a preview shows no others. */
export function offeredCounts(facts: SplitFacts): number[] {
  return offeredSplits({ ...facts, paydays: null }).map((it) => it.payments.length);
}

/** Returns the numbers of payments that only the standard dates allow, and why the paydays do not allow them. */
export function notOnPaydays(
  facts: SplitFacts & OnPaydays,
): { count: number; code: 'too_few_paydays' | 'cost_above_limit' }[] {
  if (facts.paydays === null) return [];
  const [possible, offered] = [possibleSplits(facts), offeredSplits(facts)].map((splits) =>
    splits.map((it) => it.payments.length),
  );
  return offeredCounts(facts)
    .filter((count) => !offered?.includes(count))
    .map((count) => ({
      count,
      // Earlier dates make the same fee a higher yearly rate.
      code: possible?.includes(count) ? 'cost_above_limit' : 'too_few_paydays',
    }));
}

/** Returns whether there would be offers if the state allowed them to cost more. */
export function isAboveLimits(facts: SplitFacts): boolean {
  const { maximumAprBps, maximumFeeInCents } = facts.lending;
  if (maximumAprBps === null && maximumFeeInCents === null) return false;
  const onStandardDates = { ...facts, paydays: null };
  return offeredSplits(onStandardDates).length === 0 && possibleSplits(onStandardDates).length > 0;
}

/** Returns a split for each number of payments that the amount, the days left and the paydays allow. */
export function possibleSplits({
  cycle,
  at,
  timeZone,
  terms,
  paydays,
}: SplitFacts & OnPaydays): Split[] {
  const principalInCents = cycle.amountDueInCents;
  if (principalInCents < terms.minimumInCents) return [];
  const today = localDate(at, timeZone);
  const on = { today, cycleDueDate: cycle.dueDate, terms };
  const days = paydays && paydayDueDates(paydays, on);
  return terms.installmentCounts.flatMap((count) => {
    const standard = splitIntoParts({ ...on, principalInCents, count });
    const parts = standard && days ? moveToPaydays(standard, days, on) : standard;
    if (parts === null) return [];
    const payments = withFee(parts, terms.feeInCents);
    return [{ payments, aprBps: aprInBps({ principalInCents, payments, today }) }];
  });
}

function withFee(parts: readonly Part[], feeInCents: number): Part[] {
  return parts.map((it) => ({
    ...it,
    amountInCents: it.amountInCents + (it.number === 1 ? feeInCents : 0),
  }));
}
