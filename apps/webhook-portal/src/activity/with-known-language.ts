/**
 * Loads what formats numbers in the browser's language at its start, as uPlot does. A browser in a
 * bare container names one that Intl refuses, such as `en-US@posix`; until it is loaded, the
 * language is English there.
 */
export async function withKnownLanguage<T>(load: () => Promise<T>): Promise<T> {
  if (isKnown(navigator.language)) return load();
  Object.defineProperty(navigator, 'language', { configurable: true, value: 'en-US' });
  try {
    return await load();
  } finally {
    Reflect.deleteProperty(navigator, 'language');
  }
}

function isKnown(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
