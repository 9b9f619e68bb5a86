const dayInMilliseconds = 86_400_000;

/** A short date that does not wrap: `Sun 1 Mar`, with the year if it is not today's. */
export function dateInWords(date: string, locale: string, today: string): string {
  const sameYear = date.slice(0, 4) === today.slice(0, 4);
  return sameYear ? shortDate(date, locale) : dateWithYear(date, locale);
}

/** A date for use within a sentence: `Monday, March 8`, `lunes 8 de marzo`. */
export function longDate(date: string, locale: string, today: string): string {
  const sameYear = date.slice(0, 4) === today.slice(0, 4);
  const year = sameYear ? {} : ({ year: 'numeric' } as const);
  const options = { weekday: 'long', day: 'numeric', month: 'long', ...year } as const;
  const text = formatOf(locale, options).format(instantOf(date));
  return locale.startsWith('es') ? text.replace(', ', ' ') : text;
}

/** A short date with its year: `Sun 1 Mar 2026`. */
export function dateWithYear(date: string, locale: string): string {
  return `${shortDate(date, locale)}\u00a0${date.slice(0, 4)}`;
}

/** A date with its year, for receipts and notices: `1 March 2026`, `1 de marzo de 2026`. */
export function fullDate(date: string, locale: string): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  if (!locale.startsWith('en')) return formatOf(locale, options).format(instantOf(date));
  const parts = partsOf(date, locale, options);
  return `${parts('day')} ${parts('month')} ${parts('year')}`;
}

/** The name of a date's month: `March`. */
export function monthName(date: string, locale: string): string {
  return partsOf(date, locale, { month: 'long' })('month');
}

/** Formats a month as cards do: `2026-03` is `03/26`. */
export function cardMonth(month: string): string {
  return `${month.slice(5)}/${month.slice(2, 4)}`;
}

/**
 * The date of a day at the property, from the midnight that starts (`leading`) or ends (`trailing`)
 * it. Shifting the instant by half a day lands inside that day in every time zone less than 12 hours
 * from UTC, so the zone does not have to be known here.
 */
export function dayOfMidnight(instant: string, side: 'leading' | 'trailing'): string {
  const shift = (side === 'leading' ? 1 : -1) * (dayInMilliseconds / 2);
  return new Date(Date.parse(instant) + shift).toISOString().slice(0, 10);
}

/**
 * The ISO date for a day as typed in the American order: `4/27/1990`, `04271990`, `4 27 1990`. Browsers
 * fill in `1990-04-27`. Null if there is no such day.
 */
export function parseDate(typed: string): string | null {
  const text = typed.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso !== null) return isoDateOf(iso[1] ?? '', iso[2] ?? '', iso[3] ?? '');
  const [, month = '', day = '', year = ''] =
    /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? /^(\d+)\D+(\d+)\D+(\d+)$/.exec(text) ?? [];
  return isoDateOf(year, month, day);
}

/** The ISO date for a year, month and day as typed. Null if there is no such day. */
function isoDateOf(year: string, month: string, day: string): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso;
}

function shortDate(date: string, locale: string): string {
  const parts = partsOf(date, locale, { weekday: 'short', day: 'numeric', month: 'short' });
  return (['weekday', 'day', 'month'] as const).map(parts).join('\u00a0');
}

function partsOf(date: string, locale: string, options: Intl.DateTimeFormatOptions) {
  const parts = formatOf(locale, options).formatToParts(instantOf(date));
  return (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? '';
}

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
}

function instantOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
