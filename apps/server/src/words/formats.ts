import { type Locale, localeInfo } from '@svc/contract';

interface Formats {
  /** In a document or a table: `March 8, 2027`, `8 de marzo de 2027`. */
  readonly fullDate: (day: string) => string;
  /** In a sentence: `Monday, March 8`, `lunes 8 de marzo`. */
  readonly weekday: (day: string) => string;
  /** `March 8`, `8 de marzo`. */
  readonly dayOfMonth: (day: string) => string;
  /** `March 2027`, `marzo de 2027`. */
  readonly month: (day: string) => string;
  readonly percent: (fraction: number) => string;
}

// Cached, because creating a formatter takes longer than the rest of a quote.
const formatsByLocale = new Map<Locale, Formats>();

/** Writes dates (`YYYY-MM-DD`) and rates in a language. */
export function formatsOf(locale: Locale): Formats {
  const known = formatsByLocale.get(locale) ?? makeFormats(locale);
  formatsByLocale.set(locale, known);
  return known;
}

function makeFormats(locale: Locale): Formats {
  const { tag } = localeInfo[locale];
  const full = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const sentence = new Intl.DateTimeFormat(tag, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const dayOfMonth = new Intl.DateTimeFormat(tag, {
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const month = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const rate = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 });
  return {
    fullDate: (day) => full.format(noonUtc(day)),
    // Spanish has no comma between the weekday and the day.
    weekday: (day) => {
      const text = sentence.format(noonUtc(day));
      return locale === 'es' ? text.replace(', ', ' ') : text;
    },
    dayOfMonth: (day) => dayOfMonth.format(noonUtc(day)),
    month: (day) => month.format(noonUtc(day)),
    percent: (fraction) => rate.format(fraction),
  };
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `$1,520.12`, in every language. */
export function formatMoney(cents: number): string {
  return dollars.format(cents / 100);
}

function noonUtc(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}
