import { expect, test } from 'vitest';
import { formatMoney, formatPercent } from './money.ts';

test('money has the currency sign and separators of the locale', () => {
  expect(formatMoney(152012, 'en-US')).toBe('$1,520.12');
  expect(formatMoney(-12200, 'en-US')).toBe('-$122.00');
  expect(formatMoney(0, 'en-US')).toBe('$0.00');
});

test('in Spanish, money looks the same', () => {
  expect(formatMoney(152012, 'es-US')).toBe('$1,520.12');
  expect(formatPercent(7090, 'es-US')).toMatch(/^70\.9\s?%$/);
});

test('basis points become a percentage without empty decimals', () => {
  expect(formatPercent(7090, 'en-US')).toBe('70.9%');
  expect(formatPercent(0, 'en-US')).toBe('0%');
});
