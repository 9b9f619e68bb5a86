import { expect, test } from 'vitest';
import { readAmount } from './read-amount.ts';

test.for([
  ['4100', 4100],
  ['41.00', 4100],
  ['41,50', 4150],
  ['41.5', 4150],
  ['$41', 4100],
  ['$1,500', 150_000],
  ['1,234.56', 123_456],
  ['1.234,56', 123_456],
] as const)('--amount %s is %i cents', ([text, cents]) => {
  expect(readAmount(text)).toBe(cents);
  expect(readAmount(`-${text}`, { canDeduct: true })).toBe(-cents);
  expect(() => readAmount(`-${text}`)).toThrow(`not "-${text}"`);
});

// Whether these are cents or dollars, or which number they are, is not certain.
test.for([
  '',
  '0',
  '0.00',
  '-0',
  '1,500',
  '1.500',
  '$1.500',
  '1 500',
  '1e3',
  '9999999999',
  '41.005',
  'x',
])('--amount "%s" is refused', (text) => {
  expect(() => readAmount(text)).toThrow('--amount must be cents, such as --amount=4100');
  expect(() => readAmount(text, { canDeduct: true })).toThrow('--amount=-4100 to deduct them');
});
