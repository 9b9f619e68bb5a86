import type { Terms } from '../partners/terms.ts';
import { nextBankingDay, previousBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, daysBetween } from '../tenants/calendar.ts';

export interface Part {
  readonly number: number;
  readonly dueDate: string;
  /** The part of the principal. The first payment adds the fee. */
  readonly amountInCents: number;
}

export interface SplitDays {
  /** The current day in the tenant's time zone, on which the first part is due. */
  readonly today: string;
  readonly cycleDueDate: string;
  readonly terms: Pick<Terms, 'spanDays' | 'daysApart'>;
}

interface SplitInput extends SplitDays {
  readonly principalInCents: number;
  readonly count: number;
}

/**
 * Splits an amount into equal parts, with the remaining cents in the first. Later parts are spread
 * evenly over banking days, within the days that the terms allow and before the next cycle. Returns null if
 * there are too few days.
 */
export function splitIntoParts({
  principalInCents,
  count,
  today,
  cycleDueDate,
  terms,
}: SplitInput): Part[] | null {
  const { span, last } = windowOf({ today, cycleDueDate, terms });
  const step = Math.floor(span / count);
  if (step < terms.daysApart) return null;
  const amounts = splitAmount(principalInCents, count);
  const parts: Part[] = [];
  for (let number = 1; number <= count; number += 1) {
    const dueDate = number === 1 ? today : bankingDay(addDays(today, step * (number - 1)), last);
    const before = parts.at(-1);
    if (before && daysBetween(before.dueDate, dueDate) < terms.daysApart) return null;
    parts.push({ number, dueDate, amountInCents: amounts[number - 1] ?? 0 });
  }
  return parts;
}

/** Splits an amount into equal ones. The first also gets the remainder. */
export function splitAmount(amountInCents: number, count: number): number[] {
  const equal = Math.floor(amountInCents / count);
  return [amountInCents - equal * (count - 1), ...Array<number>(count - 1).fill(equal)];
}

/** Returns over how many days the parts are spread, and the last day on which one may be due. */
export function windowOf({ today, cycleDueDate, terms }: SplitDays): {
  readonly span: number;
  readonly last: string;
} {
  const left = daysBetween(today, addMonth(cycleDueDate));
  return {
    span: Math.min(terms.spanDays, left),
    last: addDays(today, Math.min(terms.spanDays, left - 1)),
  };
}

/** Returns the banking day for a date: the next one, or the one before if that would be after `last`. */
export function bankingDay(date: string, last: string): string {
  const next = nextBankingDay(date);
  return next <= last ? next : previousBankingDay(date);
}
