import { daysBetween } from '../tenants/calendar.ts';

interface AprInput {
  /** The amount advanced on the first day. */
  readonly principalInCents: number;
  /** Everything that the tenant pays. The first payment includes the fee. */
  readonly payments: readonly { readonly dueDate: string; readonly amountInCents: number }[];
  readonly today: string;
}

/**
 * Computes the annual percentage rate in basis points, by the actuarial method of Regulation Z, Appendix J. It is not
 * rounded, because a limit is compared with the exact rate. The unit period is the most frequent interval, or the
 * shortest of several equally frequent ones. A year has 365 days, or 52 units of a week. A payment that is t whole
 * units and a fraction f of a unit away is discounted by (1 + f i)(1 + i)^t.
 */
export function aprInBps({ principalInCents, payments, today }: AprInput): number {
  const days = payments.map((it) => daysBetween(today, it.dueDate));
  const unit = unitPeriod(days);
  const perYear = unit === 7 ? 52 : 365 / unit;
  const owed = (rate: number) =>
    payments.reduce((sum, it, index) => {
      const units = (days[index] ?? 0) / unit;
      const whole = Math.floor(units);
      const discount = (1 + (units - whole) * rate) * (1 + rate) ** whole;
      return sum + it.amountInCents / discount;
    }, -principalInCents);
  if (owed(0) <= 0) return 0;
  let low = 0;
  let high = 1;
  while (owed(high) > 0) high *= 2;
  for (;;) {
    const middle = (low + high) / 2;
    // Stops when no number lies between the two.
    if (middle === low || middle === high) break;
    if (owed(middle) > 0) low = middle;
    else high = middle;
  }
  return low * perYear * 10_000;
}

function unitPeriod(days: readonly number[]): number {
  const counts = new Map<number, number>();
  const intervals = days.slice(1).map((day, index) => day - (days[index] ?? 0));
  for (const interval of intervals) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  const byUse = [...counts].sort(([a, usedA], [b, usedB]) => usedB - usedA || a - b);
  return byUse[0]?.[0] ?? 365;
}
