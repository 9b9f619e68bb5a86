import type { Paydays } from '@svc/contract';

/** How often a tenant can get paid, from the most to the fewest paydays. */
export const frequencies = ['weekly', 'biweekly', 'semimonthly', 'monthly'] as const;
export type Frequency = (typeof frequencies)[number];

/** The tenant's answers so far, as values of the selects. */
export interface PaydayAnswers {
  frequency: Frequency | '';
  days: readonly string[];
}

export const noAnswers: PaydayAnswers = { frequency: '', days: [] };

/** Returns the paydays; null until every select has a value. */
export function paydaysOf({ frequency, days }: PaydayAnswers): Paydays | null {
  const [first = '', second = ''] = days;
  if (frequency === '' || first === '') return null;
  switch (frequency) {
    case 'weekly':
      return { frequency, weekday: Number(first) };
    case 'biweekly':
      return { frequency, payday: first };
    case 'semimonthly':
      return second === '' ? null : { frequency, days: [Number(first), Number(second)] };
    case 'monthly':
      return { frequency, day: Number(first) };
  }
}

/** Returns the answers that describe these paydays. */
export function answersOf(paydays: Paydays | null, today: string): PaydayAnswers {
  if (paydays === null) return noAnswers;
  const { frequency } = paydays;
  switch (frequency) {
    case 'weekly':
      return { frequency, days: [String(paydays.weekday)] };
    case 'biweekly':
      return { frequency, days: [nextPayday(paydays.payday, today)] };
    case 'semimonthly':
      return { frequency, days: paydays.days.map(String) };
    case 'monthly':
      return { frequency, days: [String(paydays.day)] };
  }
}

/** Returns the values that a day can have: weekdays from Monday on, the next dates, or days of the month. */
export function dayValues(frequency: Frequency, today: string): string[] {
  switch (frequency) {
    case 'weekly':
      return numbers(7);
    case 'biweekly':
      return nextDays(today);
    case 'semimonthly':
    case 'monthly':
      return numbers(31);
  }
}

function numbers(last: number): string[] {
  return Array.from({ length: last }, (_, index) => String(index + 1));
}

const dayInMilliseconds = 86_400_000;
const twoWeeks = 14;

/** Returns the dates of two weeks from today on. Exactly one of them is a payday of any biweekly schedule. */
function nextDays(today: string): string[] {
  return Array.from({ length: twoWeeks }, (_, index) =>
    new Date(Date.parse(today) + index * dayInMilliseconds).toISOString().slice(0, 10),
  );
}

function nextPayday(payday: string, today: string): string {
  const isPayday = (date: string) =>
    (Date.parse(date) - Date.parse(payday)) % (twoWeeks * dayInMilliseconds) === 0;
  return nextDays(today).find(isPayday) ?? '';
}

/** Returns the name of a weekday from 1, Monday, to 7: `Friday`, `viernes`. */
export function weekdayName(weekday: number, locale: string): string {
  // 2026-03-02 is a Monday.
  const date = Date.UTC(2026, 2, weekday + 1);
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(date);
}
