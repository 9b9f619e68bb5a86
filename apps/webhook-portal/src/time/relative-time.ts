const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in words: "just now", "40 s ago", "4 min ago", "3 h ago", "2 days ago". */
export function describeAge(ms: number): string {
  if (ms < 5_000) return 'just now';
  return `${describeSpan(ms)} ago`;
}

/** How long until then: "now", "in 40 s", "in 4 min". */
export function describeWait(ms: number): string {
  return ms < 1_000 ? 'now' : `in ${describeSpan(ms)}`;
}

/** A length in its largest unit, rounded down. */
export function describeSpan(ms: number): string {
  if (ms < minute) return `${Math.max(1, Math.floor(ms / 1000))} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} days`;
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

/** To the minute and without the zone, where seconds say nothing. */
export function minuteTime(instant: string): string {
  return toTheMinute.format(new Date(instant));
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
const toTheMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
