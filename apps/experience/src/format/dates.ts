const dayInMilliseconds = 86_400_000;

/** A date in words, `Sun 1 Mar` on one line, with the year when it is not today's. */
export function dateInWords(date: string, locale: string, today: string): string {
  const sameYear = date.slice(0, 4) === today.slice(0, 4);
  return sameYear ? shortDate(date, locale) : dateWithYear(date, locale);
}

/** Inside a sentence: `Monday, March 8`, `el lunes 8 de marzo` without its article. */
export function longDate(date: string, locale: string, today: string): string {
  const sameYear = date.slice(0, 4) === today.slice(0, 4);
  const year = sameYear ? {} : ({ year: 'numeric' } as const);
  const options = { weekday: 'long', day: 'numeric', month: 'long', ...year } as const;
  const text = formatOf(locale, options).format(instantOf(date));
  return locale.startsWith('es') ? text.replace(', ', ' ') : text;
}

/** `Sun 1 Mar 2026`. */
export function dateWithYear(date: string, locale: string): string {
  return `${shortDate(date, locale)}\u00a0${date.slice(0, 4)}`;
}

/** With the year in any case, for receipts and notices: `1 March 2026`, `1 de marzo de 2026`. */
export function fullDate(date: string, locale: string): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  if (!locale.startsWith('en')) return formatOf(locale, options).format(instantOf(date));
  const parts = partsOf(date, locale, options);
  return `${parts('day')} ${parts('month')} ${parts('year')}`;
}

/** The month's name alone: `March`. */
export function monthName(date: string, locale: string): string {
  return partsOf(date, locale, { month: 'long' })('month');
}

/** As it stands on a card: `03/26` of `2026-03`. */
export function cardMonth(month: string): string {
  return `${month.slice(5)}/${month.slice(2, 4)}`;
}

/**
 * The civil date of an instant that is a midnight at the property, `leading` or `trailing` the day.
 * Half a day's shift lands inside that day wherever the zone is less than 12 hours from UTC, and so
 * none has to be known here.
 */
export function dayOfMidnight(instant: string, side: 'leading' | 'trailing'): string {
  const shift = (side === 'leading' ? 1 : -1) * (dayInMilliseconds / 2);
  return new Date(Date.parse(instant) + shift).toISOString().slice(0, 10);
}

/** Whether year, month and day, as typed, are a day that exists; its ISO form or null. */
export function isoDateOf(year: string, month: string, day: string): string | null {
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
