import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, addMonth, daysBetween } from '../../tenants/calendar.ts';
import { isBankingDay } from './banking-days.ts';
import { split } from './split.ts';

const day = fc.integer({ min: 0, max: 1500 }).map((offset) => addDays('2026-01-01', offset));

test('parts sum to the principal, for every amount and count', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 500_000 }),
      fc.constantFrom(2, 3, 4),
      day,
      fc.integer({ min: -7, max: 9 }),
      (principalInCents, count, cycleDueDate, offset) => {
        const today = addDays(cycleDueDate, offset);
        const parts = split({ principalInCents, count, today, cycleDueDate });
        fc.pre(parts !== null && principalInCents >= count);
        if (!parts) return;
        expect(parts.reduce((sum, part) => sum + part.amountInCents, 0)).toBe(principalInCents);
        expect(parts.map((part) => part.number)).toEqual(parts.map((_, index) => index + 1));
        const equal = parts.slice(1).map((part) => part.amountInCents);
        expect(new Set(equal).size).toBe(1);
        expect((parts[0]?.amountInCents ?? 0) - (equal[0] ?? 0)).toBeLessThan(count);
      },
    ),
    { numRuns: 1000 },
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
        const parts = split({ principalInCents: 152_012, count, today, cycleDueDate: due });
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
  const parts = split({
    principalInCents: 152_012,
    count: 4,
    today: '2026-02-01',
    cycleDueDate: '2026-02-01',
  });
  expect(parts?.map((part) => [part.dueDate, part.amountInCents])).toEqual([
    ['2026-02-01', 38_003],
    ['2026-02-09', 38_003],
    ['2026-02-17', 38_003],
    ['2026-02-23', 38_003],
  ]);
});
