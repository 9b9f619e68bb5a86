import { expect, test } from 'vitest';
import { en } from './en.ts';
import { languageOf } from './use-words.ts';

test('a language we speak keeps its region', () => {
  expect(languageOf('en-GB')).toEqual({ words: en, locale: 'en-GB' });
});

test('an unknown, broken or missing locale reads American English', () => {
  for (const locale of ['xx', 'not a locale', '', null]) {
    expect(languageOf(locale)).toEqual({ words: en, locale: 'en-US' });
  }
});

test('no tenant ever reads "installment", and nothing is shouted', () => {
  const texts = textsOf(en);
  expect(texts.length).toBeGreaterThan(150);
  expect(texts.filter((text) => /installment/i.test(text))).toEqual([]);
  expect(texts.filter((text) => text.includes('!'))).toEqual([]);
});

/** All words, functions called with their own names for arguments. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return textsOf(value(...Array(value.length).fill('rent')));
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
