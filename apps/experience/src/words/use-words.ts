import { signal } from '@preact/signals';
import {
  defaultLocale,
  type Locale,
  localeInfo,
  localeOf,
  locales,
  type TranslatedLocale,
} from '@svc/contract/locales';
import { useFlow } from '../flow/flow.ts';
import type { FirstWords, Words } from './en.ts';
import { firstWords } from './en-first.ts';
import type { laterWords } from './en-later.ts';

export interface Language<Known = Words> {
  words: Known;
  /**
   * For Intl, with the region US whatever the page asks for: the plan is in dollars, and its mails and
   * agreement write `$1,520.12`, where es-MX would write `USD 1,520.12`.
   */
  locale: string;
}

/** The other languages follow the first load in separate files. */
const translations: Readonly<Record<TranslatedLocale, () => Promise<Words>>> = {
  es: async () => (await import('./es.ts')).es,
};

/** All words by language, for the languages whose words have all loaded. */
const loaded = signal<Partial<Record<Locale, Words>>>({});

/** Completes the English words, once the later screens have loaded with theirs. */
export function addLaterWords(words: typeof laterWords): void {
  loaded.value = { ...loaded.value, [defaultLocale]: { ...firstWords, ...words } };
}

/**
 * Loads the words of all languages. Not on demand, because a deployment renames the files and an open
 * page could no longer load them.
 */
export async function loadTranslations(): Promise<void> {
  await Promise.all(
    Object.entries(translations).map(async ([locale, load]) => {
      const words = await load();
      loaded.value = { ...loaded.value, [locale]: words };
    }),
  );
}

/**
 * Returns the words of the first load and their locale: of the language that the tenant chose, or else that the
 * partner's page asked for.
 */
export function useFirstWords(): Language<FirstWords> {
  return languageOf(useRequestedLocale());
}

/** Returns all words, for the screens that load with them. */
export function useWords(): Language {
  const language = useLoadedWords();
  if (language === null) throw new Error('a later screen is shown without its words');
  return language;
}

/** Returns all words, or null until they have loaded. */
export function useLoadedWords(): Language | null {
  const known = knownLocale(useRequestedLocale());
  const words = loaded.value[known];
  if (words !== undefined) return { words, locale: localeInfo[known].tag };
  const english = loaded.value[defaultLocale];
  return english === undefined ? null : { words: english, locale: localeInfo[defaultLocale].tag };
}

/** Returns whether the first words of the requested language have loaded, so that English is not shown instead. */
export function useHasWords(): boolean {
  const known = knownLocale(useRequestedLocale());
  return known === defaultLocale || loaded.value[known] !== undefined;
}

/** Returns the first load's words for a BCP 47 tag; English until those of its language have loaded. */
export function languageOf(requested: string | null): Language<FirstWords> {
  const known = knownLocale(requested);
  // The English ones do not read the signal: the first screen would render again for words it doesn't use.
  const words = known === defaultLocale ? firstWords : loaded.value[known];
  if (words === undefined) return { words: firstWords, locale: localeInfo[defaultLocale].tag };
  return { words, locale: localeInfo[known].tag };
}

interface LanguageChoice {
  locale: string;
  /** The language's name in the language itself. */
  name: string;
  isChosen: boolean;
}

/** All languages, for the language switch. */
export function languageChoices(requested: string | null): LanguageChoice[] {
  const chosen = knownLocale(requested);
  return locales.map((locale) => ({
    locale: localeInfo[locale].tag,
    name: localeInfo[locale].name,
    isChosen: locale === chosen,
  }));
}

/** Returns the locale that the tenant chose, or else the one that the partner's page asked for. */
export function useRequestedLocale(): string | null {
  const { language, locale } = useFlow().store;
  return language.value ?? locale.value;
}

/** Returns the writing direction of a locale that `languageOf` returned. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return localeInfo[knownLocale(locale)].direction;
}

function knownLocale(requested: string | null): Locale {
  return localeOf(canonical(requested) ?? '') ?? defaultLocale;
}

/** Returns the canonical form of a BCP 47 tag, or null if it is not one. */
function canonical(tag: string | null): string | null {
  if (tag === null) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}
