import { longDate, monthName } from './dates.ts';
import { formatMoney } from './money.ts';

/**
 * Formats an amount and dates as the first screen does. The first use of each kind loads its data, which
 * took 10 ms for amounts and 1.5 ms for dates on a desktop: better while the session request is in flight.
 */
export function prepareFormats(locale: string): void {
  const day = '2026-01-01';
  formatMoney(0, locale);
  monthName(day, locale);
  longDate(day, locale, day);
}
