import type { Running } from '../running.ts';
import type { Phrase, SvcLocale } from './locale.ts';

/** A phrase in the widget's language. A plain tag has neither phrases nor a language. */
export function say(at: Running, phrase: Phrase): string {
  return (at.settings.locale as SvcLocale | undefined)?.[phrase] ?? phrase;
}

export function languageOf(at: Running): string {
  return (at.settings.locale as SvcLocale | undefined)?.language ?? 'en-US';
}
