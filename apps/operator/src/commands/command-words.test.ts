import { expect, test } from 'vitest';
import { centsOf, choicesOf, hintOf, kindOf, labelOf, titleOf } from './command-words.ts';

test.each([
  ['12', 1200],
  ['$1,520.12', 152_012],
  ['0.29', 29],
  ['12.345', null],
  ['-5', null],
  ['twelve', null],
  ['', null],
])('an amount typed as "%s" is %s cents', (typed, cents) => {
  expect(centsOf(typed)).toBe(cents);
});

test('a field has the form that fits its syntax', () => {
  const kind = (name: string, syntax: string) =>
    kindOf({
      name,
      syntax,
      summary: '',
      is_required: false,
      is_file: false,
      choices: null,
      takes_several: false,
    });
  expect(kind('amount_in_cents', '--amount <cents>')).toBe('money');
  expect(kind('all', '--all')).toBe('flag');
  expect(kind('day', '--day <day>')).toBe('date');
  expect(kind('military', '--military-covered <yes|no>')).toBe('choice');
  expect(kind('payment_id', '<payment id>')).toBe('text');
  expect(choicesOf('--military-covered <yes|no>')).toEqual([
    { value: 'yes', label: 'yes' },
    { value: 'no', label: 'no' },
  ]);
});

test('commands and fields are named for people', () => {
  expect(titleOf({ name: 'payment-refund' })).toBe('Refund a payment');
  expect(titleOf({ name: 'payout-confirm' })).toBe('Confirm payout');
  expect(labelOf({ name: 'payment_id' })).toBe('Payment');
  expect(labelOf({ name: 'effective_date' })).toBe('Effective date');
  expect(hintOf({ summary: 'why the bank returned it' })).toBe('Why the bank returned it.');
  expect(hintOf({ summary: '' })).toBeUndefined();
});
