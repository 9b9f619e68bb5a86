import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sandboxCreditor } from '../../creditor.ts';
import { toCharge } from '../charges/charge.ts';
import { currentCycle } from '../charges/rent-cycle.ts';
import { defaultTerms as terms } from '../partners/terms.ts';
import { isBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, hourOf } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { quotes } from './quote.ts';

const properties = ['America/Chicago', 'America/New_York', 'Pacific/Honolulu', 'UTC'];

const method = {
  id: 'pmt_1',
  type: 'bank_account',
  brand: null,
  last4: '0000',
  expires: null,
} as const;

const situation = fc.record({
  // Four years, a 29 February among them.
  dueDate: fc.integer({ min: 0, max: 1460 }).map((days) => addDays('2026-01-01', days)),
  offset: fc.integer({ min: -7, max: 9 }),
  hour: fc.integer({ min: 0, max: 23 }),
  timeZone: fc.constantFrom(...properties),
  amountInCents: fc.integer({ min: 50_00, max: 5_000_00 }),
});

type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

function offers({ dueDate, offset, hour, timeZone, amountInCents }: Situation) {
  const at = hourOf(addDays(dueDate, offset), hour, timeZone) as TenantTime;
  const charge = toCharge(
    { id: 'C', due_date: dueDate, amount_in_cents: amountInCents, amount_paid_in_cents: 0 },
    'rent',
  );
  const cycle = currentCycle({ charges: [charge], simulatedDate: null, at, timeZone, terms });
  if (!cycle) throw new Error('an unpaid charge belongs to a cycle');
  const facts = {
    applicationId: 'app_1',
    planId: 'pln_1',
    signer: { name: 'Ada Lane', home: null },
    variant: 'rent' as const,
    warnings: [],
    terms,
  };
  const creditor = sandboxCreditor;
  return { cycle, items: quotes({ ...facts, creditor, method, cycle, at, timeZone }) };
}

test('every offer adds up, on days that banks work, before the next cycle', () => {
  fc.assert(
    fc.property(situation, (given) => {
      const { cycle, items } = offers(given);
      expect(cycle.state).toBe('open');
      for (const offer of items) {
        const days = offer.installments.map((it) => it.due_date);
        const total = offer.installments.reduce((sum, it) => sum + it.amount_in_cents, 0);
        expect(total).toBe(given.amountInCents + offer.fee_in_cents);
        expect(total).toBe(offer.total_of_payments_in_cents);
        expect(days).toEqual(days.toSorted());
        expect(days.slice(1).every(isBankingDay)).toBe(true);
        expect((days.at(-1) ?? '') < addMonth(given.dueDate)).toBe(true);
        expect(offer.apr_bps).toBeGreaterThan(0);
      }
    }),
    { numRuns: 100 },
  );
}, 30_000);

test.each([
  ['2026-01-31', '2026-02-28'],
  ['2028-01-31', '2028-02-29'],
  ['2026-10-31', '2026-11-30'],
])('rent due on the %s is split before %s', (dueDate, next) => {
  const given = {
    dueDate,
    offset: 0,
    hour: 12,
    timeZone: 'America/Chicago',
    amountInCents: 152_012,
  };
  const { items } = offers(given);
  expect(items.map((it) => it.installment_count)).toEqual([2, 3, 4]);
  for (const { installments } of items)
    expect((installments.at(-1)?.due_date ?? '') < next).toBe(true);
});

test('a first payment of the whole advance is not offered, because it has no rate', () => {
  const at = { dueDate: '2026-03-02', offset: 0, hour: 12, timeZone: 'UTC' };
  const counts = (amountInCents: number) =>
    offers({ ...at, amountInCents }).items.map((it) => it.installment_count);
  expect(counts(60_00)).toEqual([3, 4]);
  expect(counts(60_02)).toEqual([2, 3, 4]);
});
