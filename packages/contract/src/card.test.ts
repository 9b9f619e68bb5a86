import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandOf, isCardNumber } from './card.ts';
import { testCards } from './test-accounts.ts';

test('each test card has a valid number of an accepted brand', () => {
  for (const { number } of testCards) {
    expect([number, isCardNumber(number), brandOf(number)]).toEqual([
      number,
      true,
      number.startsWith('5') ? 'mastercard' : 'visa',
    ]);
  }
});

test('a card number with one wrong digit is invalid', () => {
  const card = fc.constantFrom(...testCards.map(({ number }) => number));
  fc.assert(
    fc.property(card, fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), (number, at, more) => {
      const wrong = (Number(number[at]) + more) % 10;
      expect(isCardNumber(number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false);
    }),
  );
});

test.each([
  ['5099', null],
  ['5100', 'mastercard'],
  ['5599', 'mastercard'],
  ['5600', null],
  ['2220', null],
  ['2221', 'mastercard'],
  ['2720', 'mastercard'],
  ['2721', null],
  ['3782', null],
  ['6011', null],
  ['', null],
])('a card number that starts with %s has the brand %s', (first, brand) => {
  expect(brandOf(first.padEnd(first === '' ? 0 : 16, '0'))).toBe(brand);
});
