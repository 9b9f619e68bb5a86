import { defaultLocale, type Locale, localeInfo, locales } from '@svc/contract/locales';
import { expect, test } from 'vitest';
import { en } from './en.ts';
import { firstWords } from './en-first.ts';
import { es } from './es.ts';
import { languageChoices, languageOf, loadTranslations } from './use-words.ts';

const languages = locales.map((locale) => [localeInfo[locale].name, locale] as const);
const wordsOf = (locale: Locale) => (locale === defaultLocale ? en : languageOf(locale).words);

test('English is used until a translation has loaded', async () => {
  expect(languageOf('es-MX')).toEqual({ words: firstWords, locale: 'en-US' });
  await loadTranslations();
  expect(languageOf('es-MX')).toEqual({ words: es, locale: 'es-US' });
});

test('money and dates are American in every region of a language', async () => {
  await loadTranslations();
  expect(languageOf('en-GB')).toEqual({ words: firstWords, locale: 'en-US' });
  expect(languageOf('es-mx')).toEqual({ words: es, locale: 'es-US' });
  expect(languageOf('es')).toEqual({ words: es, locale: 'es-US' });
});

test('an unknown, invalid or missing locale falls back to American English', () => {
  for (const locale of ['xx', 'tlh-CA', 'not a locale', '', null]) {
    expect(languageOf(locale)).toEqual({ words: firstWords, locale: 'en-US' });
  }
});

test.each([
  ['en-GB', 'English'],
  [null, 'English'],
  ['es-MX', 'Español'],
])('for %s the switch offers all languages, with %s chosen', (requested, chosen) => {
  const choices = languageChoices(requested);
  expect(choices).toContainEqual({
    locale: 'en-US',
    name: 'English',
    isChosen: chosen === 'English',
  });
  expect(choices).toContainEqual({
    locale: 'es-US',
    name: 'Español',
    isChosen: chosen === 'Español',
  });
  expect(choices).toHaveLength(locales.length);
  expect(choices.filter(({ isChosen }) => isChosen)).toHaveLength(1);
});

test.each(languages)('%s has the same keys as English, of the same kind', async (_, locale) => {
  await loadTranslations();
  expect(shapeOf(wordsOf(locale))).toEqual(shapeOf(en));
});

test('Spanish shares no text with English except names and symbols', () => {
  const same = Object.entries(leavesOf(es)).filter(
    ([key, text]) => text !== '' && text === leavesOf(en)[key],
  );
  expect(same.map(([key]) => key)).toEqual(['steps.manage']);
});

test.each(languages)(
  'in %s every function uses all its arguments, and no sentence has an exclamation mark',
  async (_, locale) => {
    await loadTranslations();
    const texts = Object.entries(leavesOf(wordsOf(locale)));
    expect(texts.length).toBeGreaterThan(250);
    expect(texts.filter(([, text]) => /[!¡]|undefined|NaN|\[object/.test(text))).toEqual([]);
    expect(texts.filter(([, text]) => /installment|cuota mensual/i.test(text))).toEqual([]);
  },
);

test.each(languages)(
  'in %s sentences are short enough for a twelve-year-old',
  async (_, locale) => {
    await loadTranslations();
    const maxWords = locale === defaultLocale ? 20 : 22;
    const sentences = Object.values(leavesOf(wordsOf(locale))).flatMap((text) =>
      text.split(/(?<=[.?:])\s+/),
    );
    const lengths = sentences.map((sentence) => sentence.split(/\s+/).length);
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(average).toBeLessThan(9);
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > maxWords)).toEqual([]);
  },
);

/** Returns the texts by their path. Functions are called with "rent" for each argument. */
function leavesOf(value: unknown, path = ''): Record<string, string> {
  if (typeof value === 'string') return { [path]: value };
  if (typeof value === 'function') {
    return leavesOf(value(...Array(value.length).fill('rent')), path);
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, it]) => leavesOf(it, path === '' ? key : `${path}.${key}`)),
  );
}

/** Returns the tree of words with each leaf replaced by its type, and each function by its arity. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'function') return `function of ${value.length}`;
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, it]) => [key, shapeOf(it)]),
  );
}
