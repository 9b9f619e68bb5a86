import { useEffect } from 'react';
import { useLanguage } from '../settings.ts';
import { es, type Phrase } from './es.ts';

/** The texts and dates of the demo in the visitor's language. English texts are their own keys. */
export function useWords() {
  const [language] = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const inWords = (day: string, options: Intl.DateTimeFormatOptions) =>
    // The day is a calendar day, independent of the browser's time zone.
    new Date(`${day}T00:00:00Z`).toLocaleDateString(language === 'es' ? 'es-US' : 'en-US', {
      ...options,
      timeZone: 'UTC',
    });
  return {
    language,
    /** Replaces `{name}` with the value of that name. */
    translate(phrase: Phrase, values: Record<string, string> = {}): string {
      const text: string = language === 'es' ? es[phrase] : phrase;
      return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    },
    /** Translates text from the portal's backend. Without a translation, it stays as it is. */
    translateData(text: string): string {
      return language === 'es' && text in es ? es[text as Phrase] : text;
    },
    /** Formats a day, such as "Tue, Dec 1". */
    shortDay: (day: string) =>
      // Spanish without its "de", as in the widget: "mar, 1 dic".
      inWords(day, { weekday: 'short', month: 'short', day: 'numeric' }).replace(' de ', ' '),
    /** Formats a day, such as "June 1, 2025". */
    longDay: (day: string) => inWords(day, { month: 'long', day: 'numeric', year: 'numeric' }),
    /** Formats a day's month, such as "December 2026". */
    monthOf: (day: string) => inWords(day, { month: 'long', year: 'numeric' }),
  };
}

export type Words = ReturnType<typeof useWords>;

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function usd(cents: number): string {
  return money.format(cents / 100);
}
