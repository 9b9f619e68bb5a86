import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultTerms as terms } from '../partners/terms.ts';
import { isBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, daysBetween } from '../tenants/calendar.ts';
import { splitAmount, splitIntoParts } from './split.ts';

const day = fc.integer({ min: 0, max: 1500 }).map((offset) => addDays('2026-01-01', offset));

test('parts sum to the principal, for every amount from 2 to 500,000 cents and every count', () => {
  for (const count of [2, 3, 4]) {
    for (let amount = 2; amount <= 500_000; amount += 1) {
      const [first = 0, ...others] = splitAmount(amount, count);
      const equal = others.every((it) => it === others[0]);
      const sum = others.reduce((total, it) => total + it, first);
      const left = first - (others[0] ?? 0);
      if (sum === amount && equal && left >= 0 && left < count) continue;
      expect({ amount, count, parts: [first, ...others] }).toBe('equal parts');
    }
  }
});

test('a split has these amounts, in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 500_000 }),
      fc.constantFrom(2, 3, 4),
      day,
      fc.integer({ min: -7, max: 9 }),
      (principalInCents, count, cycleDueDate, offset) => {
        const today = addDays(cycleDueDate, offset);
        const parts = splitIntoParts({ principalInCents, count, today, cycleDueDate, terms });
        fc.pre(parts !== null);
        expect(parts?.map((it) => it.amountInCents)).toEqual(splitAmount(principalInCents, count));
        expect(parts?.map((it) => it.number)).toEqual([1, 2, 3, 4].slice(0, count));
      },
    ),
    { numRuns: 300 },
  );
}, 30_000);

test('the first part is today; the others are banking days, apart, and before the next cycle', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(2, 3, 4),
      day,
      fc.integer({ min: -7, max: 9 }),
      (count, due, at) => {
        const today = addDays(due, at);
        const parts = splitIntoParts({
          principalInCents: 152_012,
          count,
          today,
          cycleDueDate: due,
          terms,
        });
        if (!parts) return;
        expect(parts[0]?.dueDate).toBe(today);
        for (const [index, part] of parts.slice(1).entries()) {
          expect(isBankingDay(part.dueDate)).toBe(true);
          expect(daysBetween(parts[index]?.dueDate ?? '', part.dueDate)).toBeGreaterThanOrEqual(2);
          expect(part.dueDate < addMonth(due)).toBe(true);
          expect(daysBetween(today, part.dueDate)).toBeLessThanOrEqual(30);
        }
      },
    ),
    { numRuns: 500 },
  );
}, 30_000);

test('1,520.12 in four is 380.03 each', () => {
  const parts = splitIntoParts({
    principalInCents: 152_012,
    count: 4,
    today: '2026-02-01',
    cycleDueDate: '2026-02-01',
    terms,
  });
  expect(parts?.map((part) => [part.dueDate, part.amountInCents])).toEqual([
    ['2026-02-01', 38_003],
    ['2026-02-09', 38_003],
    ['2026-02-17', 38_003],
    ['2026-02-23', 38_003],
  ]);
});
