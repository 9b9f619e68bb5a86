import { expect, test } from 'vitest';
import type { BookException, StatementLine } from '../api/money.ts';
import { candidatesOf, describeDay, isDay, nameDay, sumsOf } from './describe-books.ts';

function exception(item: string, part: Partial<BookException>): BookException {
  return {
    item,
    bank: null,
    ledger_account: 'cash',
    partner: 'maple',
    day: '2026-11-24',
    age_in_days: 1,
    amount_in_cents: 100,
    kind: 'deposit',
    reference: '',
    why: '',
    owner: null,
    after_close: false,
    ...part,
  };
}

const line = exception('bln_1', { bank: 'operating', amount_in_cents: 9_700, reference: 'R1' });
const entry = exception('trf_1/cash', { amount_in_cents: 10_000, reference: 'R1' });
const other = exception('trf_2/cash', { amount_in_cents: 9_700 });

test('both sides of a match are summed, and what they differ by', () => {
  expect(sumsOf([line, entry])).toEqual({ lines: 9_700, entries: 10_000, difference: -300 });
  expect(sumsOf([line])).toEqual({ lines: 9_700, entries: 0, difference: 9_700 });
});

test('a line may belong to what the service found, also on other days', () => {
  const candidate = { ...other, item: 'trf_9/cash', day: '2026-11-26' };
  const lines = [{ id: 'bln_1', candidates: [candidate] }] as unknown as StatementLine[];
  expect(candidatesOf(line, [line, entry], lines)).toEqual([candidate]);
});

test('a line of an earlier day may belong to open entries with its amount or reference', () => {
  const all = [line, entry, other, exception('trf_3/x', { ledger_account: 'x', reference: 'R1' })];
  expect(candidatesOf(line, all, [])).toEqual([entry, other]);
  expect(candidatesOf(entry, all, [])).toEqual([]);
});

test('days are named, and only days are taken from an address', () => {
  expect(nameDay('2026-11-24')).toBe('Tue, Nov 24, 2026');
  expect(['2026-11-24', '2026-13-01', 'today', undefined].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(describeDay({ state: 'missing', missing: ['a', 'b'] }).word).toBe('Waits for a and b');
});
