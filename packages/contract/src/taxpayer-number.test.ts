import { expect, test } from 'vitest';
import { isTaxpayerNumber } from './taxpayer-number.ts';

test.each(['001010001', '123456789', '665010001', '899999999'])('%s can be an SSN', (digits) => {
  expect(isTaxpayerNumber(digits)).toBe(true);
});

test.each(['900500000', '912651234', '999889999', '912921234', '912941234'])(
  '%s can be an ITIN',
  (digits) => {
    expect(isTaxpayerNumber(digits)).toBe(true);
  },
);

test.each([
  '000123456',
  '666123456',
  '123006789',
  '123450000',
  '912491234',
  '912661234',
  '912891234',
  '912931234',
  '12345678',
  '1234567890',
  '123-45-6789',
  '12345678a',
])('%s is refused', (digits) => {
  expect(isTaxpayerNumber(digits)).toBe(false);
});
