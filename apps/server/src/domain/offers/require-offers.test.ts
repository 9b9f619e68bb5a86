import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unlimited } from '../lending/lending-rules.ts';
import { offeredCounts } from '../lending/splits.ts';
import { defaultTerms, programTerms, toTerms } from '../partners/terms.ts';
import { addDays } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { requireOffers } from './require-offers.ts';

const from = '2027-01-01';
const changed = (change: object) => programTerms.parse({ ...defaultTerms.source, ...change });

test('the built-in terms offer something on every day of every window', () => {
  expect(() => requireOffers(defaultTerms.source, from)).not.toThrow();
});

test('terms that offer nothing late in a window are refused, with the fields to change', () => {
  const late = { installment_counts: [2, 3], days_apart: 8, closes_days_after: 13 };
  expect(() => requireOffers(changed(late), from)).toThrow(
    /^On 2027-02-\d\d, no number of payments would fit for rent that is due on 2027-0\d-\d\d\. Lower closes_days_after \(13\) or days_apart \(8\)/,
  );
  expect(() => requireOffers(changed({ ...late, closes_days_after: 9 }), from)).not.toThrow();
});

test('under terms that are not refused, each day of a window has an offer', () => {
  const someTerms = fc.record({
    installment_counts: fc.subarray([2, 3, 4, 6], { minLength: 1 }),
    span_days: fc.integer({ min: 2, max: 30 }),
    days_apart: fc.integer({ min: 1, max: 8 }),
    opens_days_before: fc.integer({ min: 0, max: 14 }),
    closes_days_after: fc.integer({ min: 0, max: 13 }),
  });
  let accepted = 0;
  fc.assert(
    fc.property(someTerms, fc.nat(700), fc.nat(27), (change, after, offset) => {
      const parsed = programTerms.safeParse({ ...defaultTerms.source, ...change });
      if (!parsed.success) return;
      try {
        requireOffers(parsed.data, from);
      } catch {
        return;
      }
      accepted += 1;
      const terms = toTerms('other', parsed.data);
      const dueDate = addDays(from, after);
      const days = terms.opensDaysBefore + terms.closesDaysAfter + 1;
      const today = addDays(dueDate, (offset % days) - terms.opensDaysBefore);
      const cycle = {
        dueDate,
        opensAt: new Date(0),
        closesAt: new Date(0),
        state: 'open' as const,
        amountDueInCents: terms.minimumInCents,
        charges: [],
      };
      const at = new Date(`${today}T12:00:00Z`) as TenantTime;
      expect(offeredCounts({ cycle, at, timeZone: 'UTC', terms, lending: unlimited })).not.toEqual(
        [],
      );
    }),
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(20);
}, 60_000);
