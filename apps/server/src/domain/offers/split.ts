import { terms } from '../partners/terms.ts';
import { nextBankingDay, previousBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, daysBetween } from '../tenants/calendar.ts';

export interface Part {
  readonly number: number;
  readonly dueDate: string;
  /** The part of the principal; the fee comes on top of the first. */
  readonly amountInCents: number;
}

interface SplitInput {
  readonly principalInCents: number;
  readonly count: number;
  /** The tenant's today: the first part is due at once. */
  readonly today: string;
  readonly cycleDueDate: string;
}

/**
 * Equal parts, leftover cents to the first; the later ones spread evenly on banking days, within
 * 30 days and before the next cycle. Null when the days do not allow this many.
 */
export function split({ principalInCents, count, today, cycleDueDate }: SplitInput): Part[] | null {
  const nextCycle = addMonth(cycleDueDate);
  const span = Math.min(terms.spanDays, daysBetween(today, nextCycle));
  const step = Math.floor(span / count);
  if (step < terms.daysApart) return null;
  const last = addDays(today, Math.min(terms.spanDays, daysBetween(today, nextCycle) - 1));
  const amounts = shares(principalInCents, count);
  const parts: Part[] = [];
  for (let number = 1; number <= count; number += 1) {
    const dueDate = number === 1 ? today : bankingDay(addDays(today, step * (number - 1)), last);
    const before = parts.at(-1);
    if (before && daysBetween(before.dueDate, dueDate) < terms.daysApart) return null;
    parts.push({ number, dueDate, amountInCents: amounts[number - 1] ?? 0 });
  }
  return parts;
}

/** Equal but for the first, which has what is left over. */
export function shares(amountInCents: number, count: number): number[] {
  const equal = Math.floor(amountInCents / count);
  return [amountInCents - equal * (count - 1), ...Array<number>(count - 1).fill(equal)];
}

function bankingDay(date: string, last: string): string {
  const next = nextBankingDay(date);
  return next <= last ? next : previousBankingDay(date);
}
