const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in words: "just now", "40 s ago", "4 min ago", "3 h ago", "2 days ago". */
export function describeAge(ms: number): string {
  if (ms < 5_000) return 'just now';
  return `${describeSpan(ms)} ago`;
}

/** How long until then, rounded to the nearest: "now", "in 40 s", "in 5 days" for 4 days 23 h. */
export function describeWait(ms: number): string {
  return ms < 1_000 ? 'now' : `in ${describeSpan(ms, Math.round)}`;
}

/** A length in its largest unit, rounded down unless told otherwise. */
export function describeSpan(ms: number, round = Math.floor): string {
  const seconds = round(ms / 1000);
  if (seconds < 60) return `${Math.max(1, seconds)} s`;
  const minutes = round(ms / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = round(ms / hour);
  return hours < 48 ? `${hours} h` : `${round(ms / day)} days`;
}

/** A clock that runs down: "0:07", "4:59", "1:59:30". */
export function describeCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/, '');
}

/** The exact instant in the viewer's own zone and language. */
export function exactTime(instant: string | number): string {
  return exact.format(new Date(instant));
}

/** The viewer's zone: "CST". */
export function zoneName(now: number): string {
  const parts = clock.formatToParts(new Date(now));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';
}

/** To the minute, where seconds say nothing. */
export function minuteTime(instant: string): string {
  return toTheMinute.format(new Date(instant));
}

/** As short as it can be and still exact: the clock and its zone today, before with the day. */
export function compactTime(instant: number, now: number): string {
  const [at, today] = [new Date(instant), new Date(now)];
  if (at.toDateString() === today.toDateString()) return clock.format(at);
  const thisYear = at.getFullYear() === today.getFullYear();
  return (thisYear ? dayAndClock : toTheMinute).format(at);
}

const exact = new Intl.DateTimeFormat(undefined, {
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
const toTheMinute = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
