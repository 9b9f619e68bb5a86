import type { Running } from '../running.ts';
import * as words from '../words.ts';

/** One line, always there, so that what the service answers moves nothing. */
export function statusLine(at: Running): string {
  const { state, next_payment_on: next } = at.tenant ?? {};
  if (at.active) return words.opening;
  if (at.missed) return words.missed;
  if (state === 'has_plan') {
    const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
    return next
      ? words.nextPayment + new Date(next).toLocaleDateString('en-US', day)
      : words.hasPlan;
  }
  if (at.settings.balance <= 0) return words.nothingDue;
  return state === 'unavailable' || state === 'nothing_due' ? words.unavailable : words.offer;
}

/** The balance, as an American reads it: so are all of the widget's words. */
export function usd(at: Running): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (at.settings.balance / 100).toLocaleString('en-US', style);
}
