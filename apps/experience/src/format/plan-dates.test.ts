import type { PlanManagement } from '@svc/contract';
import { expect, test } from 'vitest';
import { datedHistory, dayName, historyLines, originalDays, signedOn } from './plan-dates.ts';

type Entry = PlanManagement['history'][number];

const entry = (on: string, kind: Entry['kind'], change: Partial<Entry> = {}): Entry => ({
  at: `${on}T12:00:00.000Z`,
  on,
  kind,
  number: 2,
  amount_in_cents: null,
  from: null,
  to: null,
  return_code: null,
  ...change,
});
const moved = (on: string, from: string, to: string) => entry(on, 'rescheduled', { from, to });

test('an entry names the payment by the day that it had then', () => {
  const history = [
    entry('2027-03-22', 'paid'),
    moved('2027-03-10', '2027-03-15', '2027-03-22'),
    entry('2027-03-09', 'failed'),
    moved('2027-03-02', '2027-03-08', '2027-03-15'),
    entry('2027-03-01', 'accepted', { number: null }),
  ];
  const dated = datedHistory(history, [{ number: 2, due_date: '2027-03-22', left_in_cents: 0 }]);
  expect(dated.map((it) => it.dueOn)).toEqual([
    '2027-03-22',
    '2027-03-15',
    '2027-03-15',
    '2027-03-08',
    null,
  ]);
  expect(originalDays(history)).toEqual(new Map([[2, '2027-03-08']]));
});

test('a payment is a part if the installment was not paid after it', () => {
  const part = (history: Entry[], left_in_cents: number) =>
    datedHistory(history, [{ number: 2, due_date: '2027-03-08', left_in_cents }])
      .filter((it) => it.kind === 'paid')
      .map((it) => it.isPart);
  const paid = entry('2027-03-05', 'paid');
  expect(part([paid], 28_003)).toEqual([true]);
  expect(part([entry('2027-03-08', 'paid'), paid], 0)).toEqual([false, true]);
  expect(part([entry('2027-03-20', 'taken_back'), paid], 38_003)).toEqual([false]);
});

test('failed attempts at a payment are one line, in the place of the newest', () => {
  const history = [
    entry('2027-03-12', 'failed', { return_code: 'R09' }),
    entry('2027-03-10', 'payment_method', { number: null }),
    entry('2027-03-09', 'failed', { number: 3 }),
    entry('2027-03-09', 'failed'),
    entry('2027-03-08', 'failed'),
    entry('2027-03-08', 'paid', { number: 1 }),
  ];
  const lines = historyLines(datedHistory(history, []));
  expect(lines.map(({ kind, number, attempts }) => [kind, number, attempts])).toEqual([
    ['failed', 2, ['2027-03-08', '2027-03-09', '2027-03-12']],
    ['payment_method', null, []],
    ['failed', 3, ['2027-03-09']],
    ['paid', 1, []],
  ]);
  expect(lines[0]?.return_code).toBe('R09');
});

test('an agreement is signed on the day at the home, also when it is the next day in UTC', () => {
  const agreement = { accepted_at: '2027-03-02T03:30:00.000Z' } as PlanManagement['agreement'];
  const accepted = { ...entry('2027-03-01', 'accepted'), at: agreement.accepted_at };
  expect(signedOn({ agreement, history: [entry('2027-03-08', 'paid'), accepted] })).toBe(
    '2027-03-01',
  );
});

test('a payment is named by its day, with the year only if it is another one', () => {
  expect(dayName('2027-03-08', 'en-US', '2027-01-01')).toBe('March 8');
  expect(dayName('2027-03-08', 'es-US', '2027-01-01')).toBe('8 de marzo');
  expect(dayName('2028-01-03', 'en-US', '2027-12-30')).toContain('2028');
});
