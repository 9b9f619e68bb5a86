import type { Instance } from '../instance.ts';
import { translate, widgetLanguage } from '../locales/translate.ts';
import * as words from '../locales/words.ts';

/** The status line under the balance. It is never empty, so a new text moves nothing. */
export function statusText({ settings, session, busy, openFailed }: Instance): string {
  if (busy) return translate(settings, words.opening);
  if (openFailed) return translate(settings, words.missed);
  const { line = words.offer, line_at_zero = words.nothingDue, next_payment_on } = session ?? {};
  // Without a time zone: midnight of that day on this device, so it stays that day.
  const day = new Date(`${next_payment_on}T00:00`);
  return translate(settings, settings.balance > 0 ? line : line_at_zero).replace(
    '{date}',
    day.toLocaleDateString(widgetLanguage(settings), { day: 'numeric', month: 'short' }),
  );
}

/** The balance in the widget's language. */
export function balanceText({ settings }: Instance): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (settings.balance / 100).toLocaleString(widgetLanguage(settings), style);
}
