import type { Running } from '../running.ts';
import * as words from '../words.ts';

/** One line, always there, so that what the service answers moves nothing. */
export function statusLine(at: Running): string {
  const { say, balance, language } = at.settings;
  const { state, next_payment_on: next } = at.tenant ?? {};
  if (at.active) return say(words.opening);
  if (at.missed) return say(words.missed);
  if (state === 'has_plan') {
    const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
    return next
      ? say(words.nextPayment).replace('{date}', new Date(next).toLocaleDateString(language, day))
      : say(words.hasPlan);
  }
  if (balance <= 0) return say(words.nothingDue);
  return say(state === 'unavailable' || state === 'nothing_due' ? words.unavailable : words.offer);
}

/** The balance, as it is written in the widget's language. */
export function usd({ settings: { balance, language } }: Running): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (balance / 100).toLocaleString(language, style);
}
