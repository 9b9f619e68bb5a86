import type { Terms } from '../partners/terms.ts';
import { nextBankingDay, previousBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, daysBetween } from '../tenants/calendar.ts';

export interface Part {
  readonly number: number;
  readonly dueDate: string;
  /** The part of the principal. The first payment adds the fee. */
  readonly amountInCents: number;
}

interface SplitInput {
  readonly principalInCents: number;
  readonly count: number;
  /** The current day in the tenant's time zone, on which the first part is due. */
  readonly today: string;
  readonly cycleDueDate: string;
  readonly terms: Pick<Terms, 'spanDays' | 'daysApart'>;
}

/**
 * Splits an amount into equal parts, with the remaining cents in the first. Later parts are spread
 * evenly over banking days, within the days that the terms allow and before the next cycle. Null if there are too few days.
 */
export function split({
  principalInCents,
  count,
  today,
  cycleDueDate,
  terms,
}: SplitInput): Part[] | null {
  const nextCycle = addMonth(cycleDueDate);
  const span = Math.min(terms.spanDays, daysBetween(today, nextCycle));
  const step = Math.floor(span / count);
  if (step < terms.daysApart) return null;
  const last = addDays(today, Math.min(terms.spanDays, daysBetween(today, nextCycle) - 1));
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

/** Equal amounts; the first also has the remainder. */
export function splitAmount(amountInCents: number, count: number): number[] {
  const equal = Math.floor(amountInCents / count);
  return [amountInCents - equal * (count - 1), ...Array<number>(count - 1).fill(equal)];
}

function bankingDay(date: string, last: string): string {
  const next = nextBankingDay(date);
  return next <= last ? next : previousBankingDay(date);
}
