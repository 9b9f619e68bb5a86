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
import { en, type Words } from './en.ts';

export interface Language {
  words: Words;
  /**
   * For Intl, with the region US whatever the page asks for: the plan is in dollars, and its mails and
   * agreement write `$1,520.12`, where es-MX would write `USD 1,520.12`.
   */
  locale: string;
}

/** English is part of the first load; the others follow in separate files. */
const translations: Readonly<Record<TranslatedLocale, () => Promise<Words>>> = {
  es: async () => (await import('./es.ts')).es,
};

const loaded = signal<Partial<Record<Locale, Words>>>({ en });

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

/** The words and locale that the tenant chose, or else those that the partner's page asked for. */
export function useWords(): Language {
  return languageOf(useRequestedLocale());
}

/** Whether the requested language is loaded, so that English does not stand in for it. */
export function useHasWords(): boolean {
  return loaded.value[knownLocale(useRequestedLocale())] !== undefined;
}

export function languageOf(requested: string | null): Language {
  const known = knownLocale(requested);
  const words = loaded.value[known];
  if (words === undefined) return { words: en, locale: localeInfo[defaultLocale].tag };
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

/** The locale that the tenant chose, or else the one that the partner's page asked for. */
export function useRequestedLocale(): string | null {
  const { language, locale } = useFlow().store;
  return language.value ?? locale.value;
}

/** The writing direction of a locale that `languageOf` returned. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return localeInfo[knownLocale(locale)].direction;
}

function knownLocale(requested: string | null): Locale {
  return localeOf(canonical(requested) ?? '') ?? defaultLocale;
}

/** The canonical form of a BCP 47 tag, or null if it is not one. */
function canonical(tag: string | null): string | null {
  if (tag === null) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}
