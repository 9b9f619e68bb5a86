import type { SvcSettings } from '../settings.ts';
import type { Phrase } from './locale.ts';

/** Returns a phrase in the widget's language, or in English if there is no locale object or it lacks the phrase. */
export function translate({ locale }: Pick<SvcSettings, 'locale'>, phrase: Phrase): string {
  return (typeof locale === 'object' && locale?.[phrase]) || phrase;
}

/** Returns the language that the widget's texts, money and dates are written in. */
export function widgetLanguage({ locale }: SvcSettings): string {
  return (typeof locale === 'object' && locale?.language) || 'en-US';
}
