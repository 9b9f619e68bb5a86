import { useFlow } from '../flow/flow.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';

export interface Language {
  words: Words;
  /** For Intl: the tenant's own region where we speak the language, else that of the US. */
  locale: string;
}

/** Languages by their tag's first part, with the locale when no region is named. */
const languages: Record<string, Language> = {
  en: { words: en, locale: 'en-US' },
  es: { words: es, locale: 'es-US' },
};
const english: Language = { words: en, locale: 'en-US' };

/** The words and the locale that the tenant chose, else those the partner's page asked for. */
export function useWords(): Language {
  const { language, locale } = useFlow().store;
  return languageOf(language.value ?? locale.value);
}

export function languageOf(requested: string | null): Language {
  const locale = canonical(requested) ?? '';
  const [tag = '', ...region] = locale.split('-');
  const language = languages[tag] ?? english;
  return region.length === 0 || (language === english && tag !== 'en')
    ? language
    : { words: language.words, locale };
}

/** The other language, by its locale and its own name: what the switch offers. */
export function otherLanguage(current: Words): Language {
  return current === es ? english : languageOf('es');
}

function canonical(locale: string | null): string | null {
  if (locale === null) return null;
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? null;
  } catch {
    return null;
  }
}
