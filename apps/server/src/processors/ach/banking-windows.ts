import { addBankingDays, isBankingDay } from '../../domain/tenants/banking-days.ts';
import { addDays, hourOf, localDate } from '../../domain/tenants/calendar.ts';
import type { AchSettings } from './ach-settings.ts';

// When entries are written to files, and when they settle. Pure: everything follows from the time, the
// calendar of the Federal Reserve, and the settings.

/** The Federal Reserve, which settles ACH entries, works in Eastern time. */
export const achTimeZone = 'America/New_York';

/** The rules' limit for an entry that settles the same day, since March 2022. */
export const sameDayLimitInCents = 1_000_000_00;

/** A file that is written later than this after a cut-off has missed it: the bank may take it only the next day. */
const graceMs = 30 * 60_000;
/** The hour in Eastern time at which the Federal Reserve has settled what is due on a day. */
export const settlementHour = 9;

type Times = Pick<AchSettings, 'cutOff' | 'sameDayCutOff'>;

/** The next time at which an entry that exists from `at` on is written to a file. */
export function nextWriteTime(at: Date, amountInCents: number, times: Times): Date {
  for (let day = localDate(at, achTimeZone); ; day = addDays(day, 1)) {
    if (!isBankingDay(day)) continue;
    const sameDay = times.sameDayCutOff;
    if (sameDay !== undefined && amountInCents <= sameDayLimitInCents) {
      const window = timeOf(day, sameDay);
      if (window >= at) return window;
    }
    const window = timeOf(day, times.cutOff);
    if (window >= at) return window;
  }
}

/** The day on which the entries of a file that is written now settle. */
export function effectiveOn(now: Date, writeAt: Date, times: Times): string {
  const today = localDate(now, achTimeZone);
  const isInTime =
    now.getTime() - writeAt.getTime() <= graceMs && localDate(writeAt, achTimeZone) === today;
  const { sameDayCutOff } = times;
  const isSameDay =
    sameDayCutOff !== undefined && writeAt.getTime() === timeOf(today, sameDayCutOff).getTime();
  if (isInTime && isSameDay) return today;
  const lateAfterMs = timeOf(today, times.cutOff).getTime() + graceMs;
  // The bank treats a file that arrives after its cut-off as if it had come on the next banking day.
  const isLate = isBankingDay(today) && now.getTime() > lateAfterMs;
  return addBankingDays(today, isLate ? 2 : 1);
}

/**
 * When an entry that has not come back counts as succeeded. A bank has until the second banking day after
 * the settlement to return it, and we get it that day.
 */
export function settlesAt(
  effectiveOn: string,
  { returnDays }: Pick<AchSettings, 'returnDays'>,
): Date {
  return hourOf(addBankingDays(effectiveOn, returnDays), settlementHour, achTimeZone);
}

/** Debits may follow a prenote from the third banking day after its settlement on. */
export function earliestDebitAfterPrenote(prenoteEffectiveOn: string): Date {
  return hourOf(addBankingDays(prenoteEffectiveOn, 3), 0, achTimeZone);
}

/** The moment of a day that `HHMM` names. */
function timeOf(day: string, hhmm: string): Date {
  const hour = hourOf(day, Number(hhmm.slice(0, 2)), achTimeZone);
  return new Date(hour.getTime() + Number(hhmm.slice(2)) * 60_000);
}
