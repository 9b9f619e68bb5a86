import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMoney } from './money.ts';

const amounts: readonly [string, number][] = [
  ['400', 400_00],
  ['400,50', 400_50],
  ['400.50', 400_50],
  ['1,5', 1_50],
  ['1.5', 1_50],
  ['15,00', 15_00],
  ['15.', 15_00],
  ['15,', 15_00],
  ['0.07', 7],
  ['.5', 50],
  [',50', 50],
  ['007', 7_00],
  ['4,200', 4_200_00],
  ['1,234.56', 1_234_56],
  ['1.234,56', 1_234_56],
  ['1.234,5', 1_234_50],
  ['1.500,', 1_500_00],
  ['1,500.', 1_500_00],
  ['1 234,56', 1_234_56],
  ['1\u00a0234.56', 1_234_56],
  ['1\u202f234', 1_234_00],
  ["1'234.56", 1_234_56],
  ['1’234’567', 1_234_567_00],
  ['1,234,567', 1_234_567_00],
  ['1.234.567', 1_234_567_00],
  ['1.234.567,89', 1_234_567_89],
  ['9999999.99', 9_999_999_99],
  [' $4200.5 ', 4_200_50],
  ['$ 400', 400_00],
  ['US$ 1.234,56', 1_234_56],
  ['USD 400,50', 400_50],
  ['$400,50 USD', 400_50],
  ['400,50 $', 400_50],
  ['400 dólares', 400_00],
  ['400 dollars', 400_00],
  ['\u200e$1,520.12\u200f', 1_520_12],
];

test.for(amounts)('%s is read to the cent', ([typed, cents]) => {
  expect(parseMoney(typed)).toEqual({ kind: 'amount', cents });
});

test.for([
  ['1.500', 1_500_00, 1_50],
  ['$ 1.234', 1_234_00, 1_23],
  ['400.000', 400_000_00, 400_00],
] as const)('%s has two readings', ([typed, more, less]) => {
  expect(parseMoney(typed)).toEqual({ kind: 'unclear', readings: [more, less] });
});

test.for([
  '',
  '$',
  '.',
  ',',
  'a lot',
  '4k',
  '-5',
  '+5',
  '(5)',
  '1e5',
  '5%',
  '€400',
  '0x10',
  '12345678',
  '10,000,000',
  '12,345,678.00',
  '1,2345',
  '1234,567',
  '1234.500',
  '0,500',
  '0.500',
  '12,34,567',
  '1,234,56',
  '1.234.56',
  '1,234.567',
  '1 234.567',
  '1,234 567',
  '1.500.',
  '1 5',
  '15 00',
  '1, 500',
  '4,000 - 5,000',
  '400 50',
  '400/month',
  '5²',
  '４００',
  '٤٠٠',
  '\u202e005',
])('%s is no amount', (typed) => {
  expect(parseMoney(typed)).toEqual({ kind: 'invalid' });
});

/** Formats an amount with these separators. */
function formatAmount(cents: number, group: string, decimal: string): string {
  const dollars = String(Math.floor(cents / 100)).replaceAll(/\B(?=(\d{3})+$)/g, group);
  return `${dollars}${decimal}${String(cents % 100).padStart(2, '0')}`;
}

test('every amount is read back from each way of writing it with cents', () => {
  const separators = fc.constantFrom(
    ['', '.'],
    ['', ','],
    [',', '.'],
    ['.', ','],
    [' ', ','],
    ['\u00a0', '.'],
    ["'", '.'],
  );
  const around = fc.constantFrom(['', ''], ['$', ''], ['$ ', ''], ['', ' $'], ['US$ ', ' USD']);
  const cents = fc.integer({ min: 0, max: 9_999_999_99 });
  fc.assert(
    fc.property(cents, separators, around, (amount, [group = '', decimal = ''], [a, b]) => {
      const typed = `${a}${formatAmount(amount, group, decimal)}${b}`;
      expect(parseMoney(typed), typed).toEqual({ kind: 'amount', cents: amount });
    }),
    { numRuns: 2000 },
  );
});

test('no text is read as more than it can mean', () => {
  const text = fc.string({
    unit: fc.constantFrom(...Array.from("0123456789.,, $'")),
    maxLength: 14,
  });
  fc.assert(
    fc.property(text, (typed) => {
      const parsed = parseMoney(typed);
      if (parsed.kind !== 'amount') return;
      const digits = typed.replaceAll(/\D/g, '');
      // Digits after the last point or comma are cents, unless they are the three of a group.
      const decimals = /[.,](\d*)[ $]*$/.exec(typed)?.[1] ?? '';
      const isGroup = decimals.length === 3;
      const places = isGroup ? 0 : decimals.length;
      expect(places, typed).toBeLessThan(3);
      expect(parsed.cents, typed).toBe(Math.round(Number(digits) * 100 * 10 ** -places));
      // A single point before three digits is ambiguous, so it is never read as a thousands separator.
      if (isGroup) expect(typed, typed).toMatch(/,|\..*\./);
    }),
    { numRuns: 20_000 },
  );
});

test('a text that is longer than any amount is not searched for one', () => {
  expect(parseMoney(`1${' '.repeat(1_000_000)}x`)).toEqual({ kind: 'invalid' });
  expect(parseMoney(`${' '.repeat(100)}400,50 dólares`)).toEqual({ kind: 'amount', cents: 40_050 });
});
