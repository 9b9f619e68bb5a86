import { expect, test } from 'vitest';
import { en } from './en.ts';
import { es } from './es.ts';
import { languageOf, loadSpanish, otherLanguage } from './use-words.ts';

test('before its words are here, Spanish reads English', async () => {
  expect(languageOf('es-MX')).toEqual({ words: en, locale: 'en-US' });
  await loadSpanish();
  expect(languageOf('es-MX')).toEqual({ words: es, locale: 'es-MX' });
});

test('a language we speak keeps its region, and has one where none is named', async () => {
  await loadSpanish();
  expect(languageOf('en-GB')).toEqual({ words: en, locale: 'en-GB' });
  expect(languageOf('es-mx')).toEqual({ words: es, locale: 'es-MX' });
  expect(languageOf('es')).toEqual({ words: es, locale: 'es-US' });
});

test('an unknown, broken or missing locale reads American English', () => {
  for (const locale of ['xx', 'fr-CA', 'not a locale', '', null]) {
    expect(languageOf(locale)).toEqual({ words: en, locale: 'en-US' });
  }
});

test('the switch offers the other language', () => {
  expect(otherLanguage('en-GB')).toEqual({ locale: 'es-US', name: 'Español' });
  expect(otherLanguage(null)).toEqual({ locale: 'es-US', name: 'Español' });
  expect(otherLanguage('es-MX')).toEqual({ locale: 'en-US', name: 'English' });
});

test('both languages have the same keys, of the same kind', () => {
  expect(shapeOf(es)).toEqual(shapeOf(en));
});

test('every text of Spanish is its own, but for names and signs', () => {
  const same = Object.entries(leavesOf(es)).filter(
    ([key, text]) => text !== '' && text === leavesOf(en)[key],
  );
  expect(same.map(([key]) => key)).toEqual(['steps.manage', 'manage.receiptNote']);
});

test.each([
  ['English', en],
  ['Spanish', es],
])('in %s every function uses all it is given, and nothing is shouted', (_, words) => {
  const texts = Object.entries(leavesOf(words));
  expect(texts.length).toBeGreaterThan(250);
  expect(texts.filter(([, text]) => /[!¡]|undefined|NaN|\[object/.test(text))).toEqual([]);
  expect(texts.filter(([, text]) => /installment|cuota mensual/i.test(text))).toEqual([]);
});

test.each([
  ['English', en, 16],
  ['Spanish', es, 18],
])('in %s a sentence is short enough for twelve years of age', (_, words, most) => {
  const sentences = Object.values(leavesOf(words)).flatMap((text) => text.split(/(?<=[.?:])\s+/));
  const lengths = sentences.map((sentence) => sentence.split(/\s+/).length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  expect(average).toBeLessThan(9);
  expect(sentences.filter((sentence) => sentence.split(/\s+/).length > most + 4)).toEqual([]);
});

/** Texts by their path; functions called with their own names for arguments. */
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

/** The same tree with the kind of each leaf, and how many arguments a function takes. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'function') return `function of ${value.length}`;
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, it]) => [key, shapeOf(it)]),
  );
}
