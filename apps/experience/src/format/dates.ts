const dayInMilliseconds = 86_400_000;

/**
 * Formats a date for rows, buttons and other tight places: `Mon, Mar 8`, `lun, 8 mar`. It does not wrap. The
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
 * Formats a date within a sentence: `Monday, March 8`, `lunes 8 de marzo`. A date of another year than today's
 * is written in full.
 */
export function longDate(date: string, locale: string, today: string): string {
  if (!isSameYear(date, today)) return fullDate(date, locale);
  const text = format(date, locale, { weekday: 'long', month: 'long', day: 'numeric' });
  return isEnglish(locale) ? text : text.replace(', ', ' ');
}

/** Formats a date with its year, for receipts and other documents: `March 8, 2027`, `8 de marzo de 2027`. */
export function fullDate(date: string, locale: string): string {
  return format(date, locale, { month: 'long', day: 'numeric', year: 'numeric' });
}

/** Formats a date whose weekday is obvious, such as today's: `Mar 8`, `8 mar`. It does not wrap. */
export function shortDate(
  date: string,
  locale: string,
  more: Pick<Intl.DateTimeFormatOptions, 'year'> = {},
): string {
  const text = format(date, locale, { month: 'short', day: 'numeric', ...more });
  return text.replaceAll(' ', '\u00a0');
}

/** Formats several days as a list: `Mar 8, Mar 9, and Mar 12`, `8 mar, 9 mar y 12 mar`. */
export function listOfDays(dates: readonly string[], locale: string): string {
  const days = dates.map((date) => shortDate(date, locale));
  return new Intl.ListFormat(locale).format(days);
}

/** Returns the name of a date's month: `March`. */
export function monthName(date: string, locale: string): string {
  return partsOf(date, locale, { month: 'long' })('month');
}

/** Formats a month with its year: `March 2027`, `marzo de 2027`. */
export function monthAndYear(date: string, locale: string): string {
  return format(date, locale, { month: 'long', year: 'numeric' });
}

/** Formats a month as cards do: `2026-03` is `03/26`. */
export function cardMonth(month: string): string {
  return `${month.slice(5)}/${month.slice(2, 4)}`;
}

/**
 * Returns the date of a day at the property, from the midnight that starts (`leading`) or ends (`trailing`)
 * it. Shifting the instant by half a day lands inside that day in every time zone less than 12 hours
 * from UTC, so the zone does not have to be known here.
 */
export function dayOfMidnight(instant: string, side: 'leading' | 'trailing'): string {
  const shift = (side === 'leading' ? 1 : -1) * (dayInMilliseconds / 2);
  return new Date(Date.parse(instant) + shift).toISOString().slice(0, 10);
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

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  let known = formats.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    formats.set(key, known);
  }
  return known;
}

function isEnglish(locale: string): boolean {
  return locale.startsWith('en');
}

function instantOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
