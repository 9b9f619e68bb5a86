import { expect, test } from 'vitest';
import { isRoutingNumber } from './routing-number.ts';
import { testRoutingNumber } from './test-accounts.ts';

// Published routing numbers of Federal Reserve Banks.
test.each(['011000015', '021001208', '111000038', testRoutingNumber])('%s is valid', (number) => {
  expect(isRoutingNumber(number)).toBe(true);
});

test('a wrong digit is always found, and so are two exchanged digits', () => {
  const number = '021001208';
  for (let at = 0; at < 9; at += 1) {
    for (let digit = 0; digit < 10; digit += 1) {
      if (String(digit) === number[at]) continue;
      expect(isRoutingNumber(`${number.slice(0, at)}${digit}${number.slice(at + 1)}`)).toBe(false);
    }
  }
  expect(isRoutingNumber('201001208')).toBe(false);
});

test.each(['', '12345678', '0210012080', '02100120a', '000000000'])('%s is refused', (number) => {
  expect(isRoutingNumber(number)).toBe(false);
});
