import { languageOf, say } from '../locales/say.ts';
import type { Running } from '../running.ts';
import * as words from '../words.ts';

/** One line, always there, so that what the service answers moves nothing. */
export function statusLine(at: Running): string {
  const { state, next_payment_on: next } = at.tenant ?? {};
  if (at.busy) return say(at, words.opening);
  if (at.missed) return say(at, words.missed);
  if (state === 'has_plan') {
    const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
    return next
      ? say(at, words.nextPayment).replace(
          '{date}',
          new Date(next).toLocaleDateString(languageOf(at), day),
        )
      : say(at, words.hasPlan);
  }
  if (at.settings.balance <= 0) return say(at, words.nothingDue);
  return say(
    at,
    state === 'unavailable' || state === 'nothing_due' ? words.unavailable : words.offer,
  );
}

/** The balance, as it is written in the widget's language. */
export function usd(at: Running): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (at.settings.balance / 100).toLocaleString(languageOf(at), style);
}
