import { expect, test } from 'vitest';
import { caretAfter, digitsOf, groupDay, groupExpiry, groupNumber } from './digits.ts';

test.each([
  ['4242', '4242'],
  ['42424', '4242 4'],
  ['4242 4242 4242 4242', '4242 4242 4242 4242'],
  ['4242-4242-4242-4242', '4242 4242 4242 4242'],
  ['', ''],
])('the number %s reads %s', (typed, grouped) => {
  expect(groupNumber(typed)).toBe(grouped);
});

test.each([
  ['1', '1'],
  ['12', '12'],
  ['122', '12/2'],
  ['12/28', '12/28'],
  ['1/28', '01/28'],
  ['9 / 28', '09/28'],
  ['12/2028', '12/2028'],
])('the month %s reads %s', (typed, grouped) => {
  expect(groupExpiry(typed)).toBe(grouped);
});

test.each([
  ['0', '0'],
  ['1', '1'],
  ['4', '04'],
  ['4/', '04'],
  ['042', '04/2'],
  ['04/2/', '04/02'],
  ['04271990', '04/27/1990'],
  ['4271990', '04/27/1990'],
  ['1271990', '12/07/1990'],
  ['4 27 1990', '04/27/1990'],
  ['4/7/1990', '04/07/1990'],
  ['1990-04-27', '04/27/1990'],
  ['04/27/19901', '04/27/1990'],
])('the day %s reads %s', (typed, grouped) => {
  expect(groupDay(typed)).toBe(grouped);
});

test('the caret stays behind the digit that was typed or deleted', () => {
  const after = (marked: string) => {
    const text = marked.replace('|', '');
    const grouped = groupNumber(text);
    const at = caretAfter(text, marked.indexOf('|'), grouped);
    return `${grouped.slice(0, at)}|${grouped.slice(at)}`;
  };
  expect(after('42424|')).toBe('4242 4|');
  expect(after('429|42 4242 4')).toBe('429|4 2424 24');
  expect(after('42429| 4242 4')).toBe('4242 9|424 24');
  expect(after('42|2 4242 4')).toBe('42|24 2424');
  expect(after('|4242 4242')).toBe('|4242 4242');
  expect(digitsOf(groupNumber('4242 42x'))).toBe('424242');
});
