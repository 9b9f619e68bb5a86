// No dependencies: the experience bundles this file.

interface LocaleInfo {
  /** The language in its own words, for the language switch. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Formats dates and money when the tenant's region is unknown. */
  readonly tag: string;
}

/**
 * The languages that tenants can read, by their BCP 47 language. To add one, add a line here; the
 * compiler then asks for its words in the server, the experience and the SDK. The first is the
 * default, and the one whose agreement and notices come with translations.
 */
export const localeInfo = {
  en: { name: 'English', direction: 'ltr', tag: 'en-US' },
  es: { name: 'Español', direction: 'ltr', tag: 'es-US' },
} as const satisfies Readonly<Record<string, LocaleInfo>>;

export type Locale = keyof typeof localeInfo;
export const locales = Object.keys(localeInfo) as Locale[];
export const defaultLocale = 'en' satisfies Locale;
/** All languages except the default. The experience loads their words after its first screen. */
export const translatedLocales = locales.filter((locale) => locale !== defaultLocale);
export type TranslatedLocale = Exclude<Locale, typeof defaultLocale>;

/** The supported language of a BCP 47 tag such as `es-MX`; null for any other language. */
export function localeOf(tag: string): Locale | null {
  const [language = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(localeInfo, language) ? (language as Locale) : null;
}
