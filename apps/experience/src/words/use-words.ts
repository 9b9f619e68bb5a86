import { useFlow } from '../flow/flow.ts';
import { en, type Words } from './en.ts';

/** Languages by their tag's first part. Whatever is not here reads English. */
const catalogs: Record<string, Words> = { en };
const fallback = 'en';

export interface Language {
  words: Words;
  /** For Intl: the tenant's own region where we speak the language, else American English. */
  locale: string;
}

/** The words and the locale that the partner's page asked for in `init`. */
export function useWords(): Language {
  return languageOf(useFlow().store.locale.value);
}

export function languageOf(requested: string | null): Language {
  const locale = canonical(requested) ?? 'en-US';
  const language = locale.split('-')[0] ?? fallback;
  const words = catalogs[language];
  return words === undefined ? { words: en, locale: 'en-US' } : { words, locale };
}

function canonical(locale: string | null): string | null {
  if (locale === null) return null;
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? null;
  } catch {
    return null;
  }
}
