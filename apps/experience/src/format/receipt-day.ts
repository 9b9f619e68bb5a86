import type { PlanManagement } from '@svc/contract';
import { fullDate } from './dates.ts';

type Receipts = PlanManagement['receipts'];

/**
 * Returns the day of a receipt, for its title and for its file name. A later receipt of the same day has a
 * number, which stays the same when more follow: the receipts are sorted newest first.
 */
export function receiptDay(receipts: Receipts, { id, paid_on }: Receipts[number], locale: string) {
  const sameDay = receipts.filter((it) => it.paid_on === paid_on);
  const number = sameDay.length - sameDay.findIndex((it) => it.id === id);
  const day = fullDate(paid_on, locale);
  return number > 1
    ? { title: `${day} (${number})`, file: `${paid_on}-${number}` }
    : { title: day, file: paid_on };
}
