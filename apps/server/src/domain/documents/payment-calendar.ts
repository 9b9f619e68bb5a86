import type { Locale, OwnPlanOutput } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { calendarFile } from './calendar-file.ts';
import type { TextFile } from './document-content.ts';
import { productOf } from './plan-facts.ts';

interface CalendarInput {
  readonly own: OwnPlanOutput;
  readonly creditor: Creditor;
  readonly locale: Locale;
  /** The day at the home, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Returns the plan's payments that are still to come, for the tenant's calendar; undefined without one. */
export function paymentCalendar(input: CalendarInput): TextFile | undefined {
  const { own, creditor, locale, today } = input;
  const { plan, management } = own;
  const { calendar } = wordsByLocale[locale].documents;
  const product = productOf(own, locale);
  const entries = plan.installments.flatMap(({ id, number, due_date: date }) => {
    const left = management.amounts.installments.find((it) => it.number === number)?.left_in_cents;
    if (!left || date <= today) return [];
    const title = calendar.title(formatMoney(left), product);
    return { id, date, title, description: calendar.description(creditor) };
  });
  if (entries.length === 0) return undefined;
  return { text: calendarFile(entries, plan.created_at) };
}
