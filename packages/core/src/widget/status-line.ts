import { languageOf, say } from '../locales/say.ts';
import * as words from '../locales/words.ts';
import type { Running } from '../running.ts';

/** One line, always there, so that what the service answers moves nothing. */
export function statusLine(at: Running): string {
  if (at.busy) return say(at, words.opening);
  if (at.missed) return say(at, words.missed);
  const { line = words.offer, line_at_zero = words.nothingDue, next_payment_on } = at.tenant ?? {};
  // Without a zone: that day's midnight here, wherever here is.
  const day = new Date(`${next_payment_on}T00:00`);
  return say(at, at.settings.balance > 0 ? line : line_at_zero).replace(
    '{date}',
    day.toLocaleDateString(languageOf(at), { day: 'numeric', month: 'short' }),
  );
}

/** The balance, as it is written in the widget's language. */
export function usd(at: Running): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (at.settings.balance / 100).toLocaleString(languageOf(at), style);
}
