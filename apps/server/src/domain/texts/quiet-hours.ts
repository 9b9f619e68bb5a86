import { addDays, hourOf, localDate } from '../tenants/calendar.ts';

// The hours of 47 CFR 64.1200(c)(1), which restricts telephone solicitations. We keep them for every reminder.
const firstHour = 8;
const endHour = 21;

// A tenant whose portal has not reported a zone is stored with UTC. Then it must be daytime in all of these.
const everyUsZone = ['America/Puerto_Rico', 'America/New_York', 'Pacific/Honolulu'];

/** The first moment from `at` on at which a text may arrive in the zone: `at` itself by day. */
export function nextTextTime(at: Date, timeZone: string): Date {
  const zones = timeZone === 'UTC' ? everyUsZone : [timeZone];
  return zones.reduce((earliest, zone) => nextInZone(earliest, zone), at);
}

/** Seconds for which a text may still arrive, at a moment that `nextTextTime` returned. */
export function textSecondsLeft(at: Date, timeZone: string): number {
  const zones = timeZone === 'UTC' ? everyUsZone : [timeZone];
  const ends = zones.map((zone) => hourOf(localDate(at, zone), endHour, zone).getTime());
  return Math.floor((Math.min(...ends) - at.getTime()) / 1_000);
}

function nextInZone(at: Date, zone: string): Date {
  const day = localDate(at, zone);
  const first = hourOf(day, firstHour, zone);
  if (at < first) return first;
  return at < hourOf(day, endHour, zone) ? at : hourOf(addDays(day, 1), firstHour, zone);
}
