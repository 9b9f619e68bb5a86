import { expect, test } from 'vitest';
import { describeScope, differencesOf, rowsOf } from './describe-terms.ts';
import { diffLines } from './diff-lines.ts';
import { findLine } from './find-line.ts';

test('terms are rows that people can read, texts last', () => {
  const documents = { agreement: { rent: { en: 'You pay.', es: 'Usted paga.' } } };
  const rows = rowsOf({ documents, fee_in_cents: 3000, retry_after_days: [1, 3], later_field: 7 });
  expect(rows.map(({ label, value }) => [label, value])).toEqual([
    ['Fee', '$30.00'],
    ['Fee at most', '10% of the amount'],
    ['Retries after', '1 and 3 days'],
    ['later field', '7'],
    ['Agreement, rent, en', 'You pay.'],
    ['Agreement, rent, es', 'Usted paga.'],
  ]);
});

test('differences say both values, and name each text that differs', () => {
  const documents = (en: string) => ({ agreement: { rent: { en, es: 'Usted paga.' } } });
  expect(
    differencesOf([
      { field: 'fee_in_cents', now: 3000, new: 4500 },
      { field: 'documents', now: documents('You pay.'), new: documents('You owe.') },
    ]),
  ).toEqual([
    expect.objectContaining({ label: 'Fee', before: '$30.00', after: '$45.00', isText: false }),
    expect.objectContaining({
      label: 'Agreement, rent, en',
      before: 'You pay.',
      after: 'You owe.',
      isText: true,
    }),
  ]);
});

test.each([
  [{ pms: null, state: null }, 'All partners, all states'],
  [{ pms: null, state: 'TX' }, 'All partners in TX'],
  [{ pms: 'maple', state: null }, 'maple, all states'],
  [{ pms: 'maple', state: 'TX' }, 'maple in TX'],
])('%j is "%s"', (scope, words) => {
  expect(describeScope(scope)).toBe(words);
});

test('texts are compared line by line', () => {
  const kinds = diffLines('one\ntwo\nthree', 'one\n2\nthree\nfour').map(
    ({ kind, text }) => `${kind} ${text}`,
  );
  expect(kinds).toEqual(['same one', 'removed two', 'added 2', 'same three', 'added four']);
});

test('a mistake is found in the document by its path', () => {
  const json = JSON.stringify({ en: 1, agreement: { rent: { en: 'x' } }, counts: [2, 1] }, null, 2);
  expect(findLine(json, 'agreement.rent.en')).toBe(5);
  expect(findLine(json, 'counts[1]')).toBe(8);
  expect(findLine(json, 'fee_in_cents')).toBeNull();
});
