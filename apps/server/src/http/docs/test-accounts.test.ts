import { readFileSync } from 'node:fs';
import { failureCodes } from '@svc/contract';
import { expect, test } from 'vitest';
import { actionFor } from '../../domain/payments/return-codes.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');

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
