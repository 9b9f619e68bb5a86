import type { SvcSettings } from '../settings.ts';
import type { Phrase } from './locale.ts';

/** A phrase in the widget's language. Without a locale object, or without the phrase: English. */
export function translate({ locale }: Pick<SvcSettings, 'locale'>, phrase: Phrase): string {
  return (typeof locale === 'object' && locale?.[phrase]) || phrase;
}

/** The language that the widget's texts, money and dates are written in. */
export function widgetLanguage({ locale }: SvcSettings): string {
  return (typeof locale === 'object' && locale?.language) || 'en-US';
}
