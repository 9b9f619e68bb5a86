import { useFlow } from '../flow/flow.ts';
import { signal } from '../signal.ts';
import { en, type Words } from './en.ts';

export interface Language {
  words: Words;
  /** For Intl: the tenant's own region where we speak the language, else that of the US. */
  locale: string;
}

/** What we speak, each in its own name; English comes with the app, the other behind it. */
const names = { en: 'English', es: 'Español' };
type Tag = keyof typeof names;

const spoken = signal<Partial<Record<Tag, Words>>>({ en });

export async function loadSpanish(): Promise<void> {
  const { es } = await import('./es.ts');
  spoken.value = { ...spoken.value, es };
}

/** The words and the locale that the tenant chose, else those the partner's page asked for. */
export function useWords(): Language {
  return languageOf(useRequested());
}

/** Whether the words asked for are here, and not English in their place. */
export function useHasWords(): boolean {
  return spoken.value[tagOf(useRequested())] !== undefined;
}

export function languageOf(requested: string | null): Language {
  const tag = tagOf(requested);
  const words = spoken.value[tag];
  if (words === undefined) return { words: en, locale: 'en-US' };
  const locale = canonical(requested) ?? '';
  return { words, locale: locale.startsWith(`${tag}-`) ? locale : `${tag}-US` };
}

/** The other language, by its locale and its own name: what the switch offers. */
export function otherLanguage(requested: string | null): { locale: string; name: string } {
  const tag = tagOf(requested) === 'es' ? 'en' : 'es';
  return { locale: `${tag}-US`, name: names[tag] };
}

export function useRequested(): string | null {
  const { language, locale } = useFlow().store;
  return language.value ?? locale.value;
}

function tagOf(requested: string | null): Tag {
  const [tag = ''] = (canonical(requested) ?? '').split('-');
  return Object.hasOwn(names, tag) ? (tag as Tag) : 'en';
}

function canonical(locale: string | null): string | null {
  if (locale === null) return null;
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? null;
  } catch {
    return null;
  }
}
