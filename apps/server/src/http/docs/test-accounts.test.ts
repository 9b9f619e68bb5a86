import { readFileSync } from 'node:fs';
import { failureCodes, testBankAccounts, testCards, testRoutingNumber } from '@svc/contract';
import { expect, test } from 'vitest';
import { actionFor } from '../../domain/payments/return-codes.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');

test('the guide lists each test account and card, with its code, and no other', () => {
  const rows = read('README.md').matchAll(/^\| `([\d ]+)` \| (.*) \|$/gm);
  const listed = Array.from(rows, ([, number = '', what = '']) => [
    number.replaceAll(' ', ''),
    /`(\w+)`/.exec(what)?.[1],
  ]);
  expect(listed).toEqual([
    ...testBankAccounts.map((it) => [it.account_number, it.return_code]),
    ...testCards.map((it) => [it.number, it.decline_code]),
  ]);
  expect(read('README.md')).toContain(`routing number ${testRoutingNumber}`);
});

test('the guide says of each code whether the payment is tried again', () => {
  const rows = read('how-a-split-works.md').matchAll(
    /^\| (?:Bank account|Card) \| (.*) \| (.*) \|$/gm,
  );
  const codes = (cell: string) => Array.from(cell.matchAll(/`(\w+)`/g), ([, code]) => code);
  const cells = Array.from(rows, ([, again = '', never = '']) => [codes(again), codes(never)]);
  expect(cells.flatMap(([again]) => again)).toEqual(
    Object.keys(failureCodes).filter((code) => actionFor(code) === 'retry'),
  );
  expect(cells.flat(2)).toHaveLength(Object.keys(failureCodes).length);
  expect(new Set(cells.flat(2))).toEqual(new Set(Object.keys(failureCodes)));
});
