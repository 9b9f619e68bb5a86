import type { Paydays } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sandboxCreditor } from '../../creditor.ts';
import { toCharge } from '../charges/charge.ts';
import { currentCycle } from '../charges/rent-cycle.ts';
import { unlimited } from '../lending/lending-rules.ts';
import { notOnPaydays, offeredCounts } from '../lending/splits.ts';
import { defaultTerms, type Terms, toTerms } from '../partners/terms.ts';
import { isBankingDay } from '../tenants/banking-days.ts';
import { addDays, addMonth, daysBetween, hourOf } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { computeQuotes, type QuoteInput } from './quote.ts';

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
  // A day later, a holiday in February may leave too few days for four payments.
  offset: fc.integer({ min: -7, max: 8 }),
  hour: fc.integer({ min: 0, max: 23 }),
  timeZone: fc.constantFrom(...properties),
  amountInCents: fc.integer({ min: 300_00, max: 5_000_00 }),
});

type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

function offers(
  { dueDate, offset, hour, timeZone, amountInCents }: Situation,
  terms: Terms = defaultTerms,
  paydays: Paydays | null = null,
) {
  const at = hourOf(addDays(dueDate, offset), hour, timeZone) as TenantTime;
  const charge = toCharge(
    { id: 'C', due_date: dueDate, amount_in_cents: amountInCents, amount_paid_in_cents: 0 },
    'rent',
  );
  const cycle = currentCycle({ charges: [charge], simulatedDate: null, at, timeZone, terms });
  if (!cycle) throw new Error('an unpaid charge belongs to a cycle');
  const facts: QuoteInput = {
    applicationId: 'app_1',
    planId: 'pln_1',
    signer: { name: 'Ada Lane', home: null },
    variant: 'rent',
    creditor: sandboxCreditor,
    method,
    cycle,
    at,
    timeZone,
    terms,
    paydays,
    lending: unlimited,
    warnings: [],
  };
  return { cycle, facts, items: computeQuotes(facts) };
}

test('every offer adds up, on days that banks work, before the next cycle', () => {
  fc.assert(
    fc.property(situation, (given) => {
      const { cycle, items } = offers(given);
      expect(cycle.state).toBe('open');
      expect(items.map((it) => it.installment_count)).toEqual([2, 3, 4]);
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

test('Presidents’ Day may leave too few days for four payments', () => {
  const late = { dueDate: '2026-02-01', offset: 9, hour: 12, timeZone: 'UTC' };
  const { items } = offers({ ...late, amountInCents: 152_012 });
  expect(items.map((it) => it.installment_count)).toEqual([2, 3]);
});

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

test('an amount of which the fee is more than a tenth has no quote, and every larger one has all', () => {
  const at = { dueDate: '2026-03-02', offset: 0, hour: 12, timeZone: 'UTC' };
  for (const amountInCents of [50_00, 61_00, 100_00, 299_99]) {
    expect(offers({ ...at, amountInCents }).items).toEqual([]);
  }
  const { items } = offers({ ...at, amountInCents: 300_00 });
  expect(items.map((it) => it.installment_count)).toEqual([2, 3, 4]);
  // The fee of $61 in two payments was 146,000 % a year.
  expect(Math.max(...items.map((it) => it.apr_bps))).toBeLessThan(650_00);
});

test('a preview has the numbers of payments that have a quote, under any terms and on any day', () => {
  const someTerms = fc
    .record({
      fee_in_cents: fc.integer({ min: 0, max: 500_00 }),
      fee_share_percent: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
      minimum_in_cents: fc.integer({ min: 1_00, max: 500_00 }),
      installment_counts: fc.subarray([2, 3, 4, 6, 12], { minLength: 1 }),
      days_apart: fc.integer({ min: 1, max: 2 }),
    })
    .map((change) => toTerms('other', { ...defaultTerms.source, ...change }));
  fc.assert(
    fc.property(
      situation,
      someTerms,
      fc.integer({ min: 1, max: 900_00 }),
      (given, other, amount) => {
        const { facts, items } = offers({ ...given, amountInCents: amount }, other);
        expect(offeredCounts(facts)).toEqual(items.map((it) => it.installment_count));
        for (const { installments, fee_in_cents, apr_bps } of items) {
          expect(fee_in_cents * 100).toBeLessThanOrEqual(
            amount * (other.source.fee_share_percent ?? 10),
          );
          expect(installments[0]?.amount_in_cents).toBeLessThan(amount);
          expect(Number.isSafeInteger(apr_bps)).toBe(true);
        }
        if (amount < other.minimumInCents) expect(items).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
}, 30_000);

const dayOfMonth = fc.integer({ min: 1, max: 31 });
const somePaydays: fc.Arbitrary<Paydays> = fc.oneof(
  fc.record({
    frequency: fc.constant('weekly' as const),
    weekday: fc.integer({ min: 1, max: 7 }),
  }),
  fc.record({
    frequency: fc.constant('biweekly' as const),
    payday: fc.integer({ min: -400, max: 1800 }).map((days) => addDays('2026-01-01', days)),
  }),
  fc.record({
    frequency: fc.constant('semimonthly' as const),
    days: fc.uniqueArray(dayOfMonth, { minLength: 2, maxLength: 2 }),
  }),
  fc.record({ frequency: fc.constant('monthly' as const), day: dayOfMonth }),
);

/** Returns whether a day is a payday, computed in another way than the code does. */
function isPayday(paydays: Paydays, day: string): boolean {
  const [year = 0, month = 0, ofMonth] = day.split('-').map(Number);
  const ofLength = (it: number) => Math.min(it, new Date(Date.UTC(year, month, 0)).getUTCDate());
  switch (paydays.frequency) {
    case 'weekly':
      return new Date(`${day}T12:00:00Z`).getUTCDay() === paydays.weekday % 7;
    case 'biweekly':
      return (Date.parse(day) - Date.parse(paydays.payday)) % (14 * 86_400_000) === 0;
    case 'semimonthly':
      return paydays.days.map(ofLength).includes(ofMonth ?? 0);
    case 'monthly':
      return ofLength(paydays.day) === ofMonth;
  }
}

/** Returns the difference between what is lent and what the payments are worth at a rate, by Appendix J. */
function gapAt(rate: number, lent: number, payments: { day: number; cents: number }[]): number {
  const gaps = payments.slice(1).map(({ day }, index) => day - (payments[index]?.day ?? 0));
  const uses = (gap: number) => gaps.filter((it) => it === gap).length;
  const [unit = 365] = gaps.toSorted((a, b) => uses(b) - uses(a) || a - b);
  const perUnit = unit === 7 ? rate / 52 : (rate * unit) / 365;
  return payments.reduce((left, { day, cents }) => {
    const whole = Math.floor(day / unit);
    const part = (day % unit) / unit;
    return left - cents / ((1 + part * perUnit) * (1 + perUnit) ** whole);
  }, lent);
}

test('with paydays, every later payment is on one, within the terms, and the amounts and the rate are right', () => {
  const someTerms = fc
    .record({
      fee_in_cents: fc.integer({ min: 1_00, max: 30_00 }),
      span_days: fc.integer({ min: 12, max: 30 }),
      days_apart: fc.integer({ min: 1, max: 4 }),
    })
    .filter(({ span_days, days_apart }) => Math.floor(span_days / 4) >= days_apart)
    .map((change) => toTerms('other', { ...defaultTerms.source, ...change }));
  let offered = 0;
  fc.assert(
    fc.property(situation, someTerms, somePaydays, (given, terms, paydays) => {
      const { facts, items } = offers(given, terms, paydays);
      const standard = computeQuotes({ ...facts, paydays: null });
      const today = addDays(given.dueDate, given.offset);
      const limits = [addDays(today, terms.spanDays), addDays(addMonth(given.dueDate), -1)];
      const [last = ''] = limits.toSorted();
      const due: string[] = [];
      const fitting: string[] = [];
      for (let payday = addDays(today, 1); payday <= last; payday = addDays(payday, 1)) {
        if (!isPayday(paydays, payday)) continue;
        let day = payday;
        while (!isBankingDay(day)) day = addDays(day, 1);
        while (!isBankingDay(day) || day > last) day = addDays(day, -1);
        due.push(day);
        if (daysBetween(fitting.at(-1) ?? today, day) >= terms.daysApart) fitting.push(day);
      }
      const counts = items.map((it) => it.installment_count);
      const possible = standard.map((it) => it.installment_count);
      expect(counts).toEqual(possible.filter((count) => count - 1 <= fitting.length));
      expect(notOnPaydays(facts)).toEqual(
        possible
          .filter((it) => !counts.includes(it))
          .map((count) => ({ count, code: 'too_few_paydays' })),
      );
      for (const quote of items) {
        offered += 1;
        const days = quote.installments.map((it) => it.due_date);
        expect(days[0]).toBe(today);
        for (const [index, day] of days.slice(1).entries()) {
          expect(due).toContain(day);
          expect(isBankingDay(day)).toBe(true);
          expect(daysBetween(days[index] ?? '', day)).toBeGreaterThanOrEqual(terms.daysApart);
          expect(day <= last).toBe(true);
        }
        const twin = standard.find((it) => it.installment_count === quote.installment_count);
        const amounts = quote.installments.map((it) => it.amount_in_cents);
        expect(amounts).toEqual(twin?.installments.map((it) => it.amount_in_cents));
        expect(amounts.reduce((sum, it) => sum + it, 0)).toBe(
          given.amountInCents + terms.feeInCents,
        );
        // Different dates make a different quote with a different agreement; equal dates make the same offer.
        const sameDays = days.every((day, index) => day === twin?.installments[index]?.due_date);
        expect(quote.id === twin?.id).toBe(sameDays);
        expect(quote.disclosure?.sha256 === twin?.disclosure?.sha256).toBe(sameDays);
        const payments = days.map((day, index) => ({
          day: daysBetween(today, day),
          cents: amounts[index] ?? 0,
        }));
        const gap = (bps: number) => gapAt(bps / 10_000, given.amountInCents, payments);
        expect(gap(quote.apr_bps - 0.51)).toBeLessThan(0);
        expect(gap(quote.apr_bps + 0.51)).toBeGreaterThan(0);
      }
    }),
    { numRuns: 300 },
  );
  expect(offered).toBeGreaterThan(200);
}, 60_000);

test('paydays that make a plan cost more than the state allows say so, and not that they are too few', () => {
  const given = {
    dueDate: '2026-02-01',
    offset: 0,
    hour: 12,
    timeZone: 'America/Chicago',
    amountInCents: 1_520_12,
  };
  const paydays: Paydays = { frequency: 'biweekly', payday: '2026-02-06' };
  const { facts, items } = offers(given, defaultTerms, paydays);
  const standard = computeQuotes({ ...facts, paydays: null });
  const rates = (quotes: typeof items) =>
    Object.fromEntries(quotes.map((it) => [it.installment_count, it.apr_bps]));
  const maximumAprBps = rates(standard)[3] ?? 0;
  expect(rates(items)[3]).toBeGreaterThan(maximumAprBps);
  const limited = { ...facts, lending: { ...unlimited, maximumAprBps } };
  expect(offeredCounts(limited)).toContain(3);
  expect(computeQuotes(limited).map((it) => it.installment_count)).not.toContain(3);
  expect(notOnPaydays(limited)).toContainEqual({ count: 3, code: 'cost_above_limit' });
});
