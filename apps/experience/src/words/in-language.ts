interface Translated<T> {
  translations: readonly (T & { locale: string })[];
}

/** A text of the service's as the tenant reads it; where there is none in their language, the first. */
export function inLanguage<T>(text: T & Translated<T>, locale: string): T {
  return text.translations.find((it) => locale.startsWith(it.locale)) ?? text;
}
