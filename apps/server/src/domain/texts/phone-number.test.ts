import { expect, test } from 'vitest';
import { maskNumber, readUsNumber } from './phone-number.ts';

test.each(['(212) 555-0123', '+1 212 555 0123', '1-212-555-0123', '212.555.0123'])(
  '%s is a number in the US',
  (text) => expect(readUsNumber(text)).toBe('+12125550123'),
);

test.each([
  '',
  '911',
  '555-0123',
  '+44 20 7946 0123',
  // Toronto, Jamaica, toll-free, premium
  '416 555 0123',
  '876 555 0123',
  '800 555 0123',
  '900 555 0123',
  '112 555 0123',
  '212 155 0123',
  '2'.repeat(60),
])('%s is none', (text) => expect(readUsNumber(text)).toBeNull());

test('only the last four digits are shown', () => {
  expect(maskNumber('+12125550123')).toBe('(•••) •••-0123');
});
