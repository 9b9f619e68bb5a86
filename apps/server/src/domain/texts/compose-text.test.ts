import { locales } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { sandboxCreditor } from '../../creditor.ts';
import { textTypes } from '../../words/text-types.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { composeText } from './compose-text.ts';

const creditor = { ...sandboxCreditor, name: 'First Community Bank of Texas' };

/** The words of every text in a language, with the longest day and amount. */
function textsIn(locale: (typeof locales)[number]): string[] {
  const { types, code, stopped, started, help } = wordsByLocale[locale].texts;
  const day = locale === 'es' ? '30 de septiembre' : 'September 30';
  const reminders = textTypes.flatMap((type) =>
    [true, false].map((autopay) => types[type]({ day, autopay, details: null })),
  );
  return [...reminders, code('123456'), stopped, started, help('help@svc.example')];
}

describe.each(locales)('in %s', (locale) => {
  test.each(textsIn(locale))('fits into one text without losing an accent: %s', (words) => {
    const text = composeText(creditor, words);
    expect(text).toBe(`First Community Bank of Texas: ${words}`);
    expect(text.length).toBeLessThanOrEqual(160);
  });
});

test('what GSM-7 cannot write becomes what it can', () => {
  const text = composeText(
    { ...creditor, name: 'Crédito “Álamo”\u202e\n🏦' },
    'niño, pingüino, ¿qué?, ánimo – 5 €…',
  );
  expect(text).toBe('Crédito "Alamo": niño, pingüino, ¿qué?, animo - 5 ...');
});
