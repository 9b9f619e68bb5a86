const dayInMilliseconds = 86_400_000;

/**
 * A date for rows, buttons and other tight places: `Mon, Mar 8`, `lun, 8 mar`. It does not wrap. The
 * comma tells `mar` for martes from `mar` for marzo. A date of another year than today's has its year
 * instead of its weekday: `Mar 8, 2027`.
 */
export function dateInWords(date: string, locale: string, today: string): string {
  if (!isSameYear(date, today)) return shortDate(date, locale, { year: 'numeric' });
  const parts = partsOf(date, locale, { weekday: 'short', month: 'short', day: 'numeric' });
  const [weekday, month, day] = [parts('weekday'), parts('month'), parts('day')];
  const text = isEnglish(locale) ? `${weekday}, ${month} ${day}` : `${weekday}, ${day} ${month}`;
  return text.replaceAll(' ', '\u00a0');
}

/**
 * A date within a sentence: `Monday, March 8`, `lunes 8 de marzo`. A date of another year than today's
 * is written in full.
 */
export function longDate(date: string, locale: string, today: string): string {
  if (!isSameYear(date, today)) return fullDate(date, locale);
  const text = format(date, locale, { weekday: 'long', month: 'long', day: 'numeric' });
  return isEnglish(locale) ? text : text.replace(', ', ' ');
}

/** A date with its year, for receipts and other documents: `March 8, 2027`, `8 de marzo de 2027`. */
export function fullDate(date: string, locale: string): string {
  return format(date, locale, { month: 'long', day: 'numeric', year: 'numeric' });
}

/** A date whose weekday is plain, such as today's: `Mar 8`, `8 mar`. It does not wrap. */
export function shortDate(
  date: string,
  locale: string,
  more: Pick<Intl.DateTimeFormatOptions, 'year'> = {},
): string {
  const text = format(date, locale, { month: 'short', day: 'numeric', ...more });
  return text.replaceAll(' ', '\u00a0');
}

/** Several days of a list: `Mar 8, Mar 9, and Mar 12`, `8 mar, 9 mar y 12 mar`. */
export function listOfDays(dates: readonly string[], locale: string): string {
  const days = dates.map((date) => shortDate(date, locale));
  return new Intl.ListFormat(locale).format(days);
}

/** The name of a date's month: `March`. */
export function monthName(date: string, locale: string): string {
  return partsOf(date, locale, { month: 'long' })('month');
}

/** A month with its year: `March 2027`, `marzo de 2027`. */
export function monthAndYear(date: string, locale: string): string {
  return format(date, locale, { month: 'long', year: 'numeric' });
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

function isSameYear(date: string, today: string): boolean {
  return date.slice(0, 4) === today.slice(0, 4);
}

function format(date: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  return formatOf(locale, options).format(instantOf(date));
}

function partsOf(date: string, locale: string, options: Intl.DateTimeFormatOptions) {
  const parts = formatOf(locale, options).formatToParts(instantOf(date));
  return (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? '';
}

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
}

function isEnglish(locale: string): boolean {
  return locale.startsWith('en');
}

function instantOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
