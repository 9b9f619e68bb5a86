import { splitIntoParts } from '../lending/split.ts';
import { type ProgramTerms, toTerms } from '../partners/terms.ts';
import { Refusal } from '../refusal.ts';
import { addDays } from '../tenants/calendar.ts';

/** The days that are checked: every weekday, month length and holiday that a due date meets soon. */
const checkedDays = 2 * 366;

/**
 * Refuses terms under which a tenant may apply on a day on which no number of payments fits, such as late in
 * a window, when the next cycle is near.
 * @throws Refusal that names the first such day
 */
export function requireOffers(program: ProgramTerms, from: string): void {
  const terms = toTerms('new', program);
  for (let index = 0; index < checkedDays; index += 1) {
    const dueDate = addDays(from, index);
    for (let day = -terms.opensDaysBefore; day <= terms.closesDaysAfter; day += 1) {
      const today = addDays(dueDate, day);
      const fits = (count: number) =>
        splitIntoParts({ principalInCents: count, count, today, cycleDueDate: dueDate, terms }) !==
        null;
      if (terms.installmentCounts.some(fits)) continue;
      throw new Refusal('validation_failed', {
        message: `On ${today}, no number of payments would fit for rent that is due on ${dueDate}. Lower closes_days_after (${terms.closesDaysAfter}) or days_apart (${terms.daysApart}), raise span_days (${terms.spanDays}), or allow fewer payments. Nothing was changed.`,
      });
    }
  }
}
