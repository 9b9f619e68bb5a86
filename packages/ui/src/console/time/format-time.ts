const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Describes an age in milliseconds: "just now", "40 s ago", "4 min ago", "3 h ago", "2 days ago". */
export function describeAge(ms: number): string {
  if (ms < 5_000) return 'just now';
  return `${describeSpan(ms)} ago`;
}

/** Describes a wait in milliseconds, rounded to the nearest unit: "now", "in 40 s", "in 5 days" for 4 days 23 h. */
export function describeWait(ms: number): string {
  return ms < 1_000 ? 'now' : `in ${describeSpan(ms, Math.round)}`;
}

/** Describes a duration in milliseconds in its largest unit: "40 s", "3 h". Rounds down by default. */
export function describeSpan(ms: number, round = Math.floor): string {
  const seconds = round(ms / 1000);
  if (seconds < 60) return `${Math.max(1, seconds)} s`;
  const minutes = round(ms / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = round(ms / hour);
  return hours < 48 ? `${hours} h` : `${round(ms / day)} days`;
}

/** Formats a countdown in milliseconds: "0:07", "4:59", "1:59:30". */
export function describeCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/, '');
}

/** Formats an instant to the second, with weekday and zone, in the viewer's locale. */
export function exactTime(instant: string | number): string {
  return exactFormat.format(new Date(instant));
}

/** Returns the viewer's time zone, such as "CST". */
export function zoneName(now: number): string {
  const parts = clock.formatToParts(new Date(now));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';
}

/** Formats an instant to the minute, with year and zone, in the viewer's locale. */
export function minuteTime(instant: string): string {
  return toTheMinute.format(new Date(instant));
}

/** Formats the day of an instant, with year, in the viewer's locale and time zone. */
export function localDay(instant: string): string {
  return dayOnly.format(new Date(instant));
}

/** Formats an instant as briefly as possible: only the time if it is today, otherwise with the date. */
export function compactTime(instant: number, now: number): string {
  const [at, today] = [new Date(instant), new Date(now)];
  if (at.toDateString() === today.toDateString()) return clock.format(at);
  const thisYear = at.getFullYear() === today.getFullYear();
  return (thisYear ? dayAndClock : toTheMinute).format(at);
}

const exactFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const clock = new Intl.DateTimeFormat(undefined, {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
const dayOnly = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const toTheMinute = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
