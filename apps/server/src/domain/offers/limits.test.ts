import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sandboxCreditor } from '../../creditor.ts';
import { toCharge } from '../charges/charge.ts';
import { currentCycle } from '../charges/rent-cycle.ts';
import { resolveLending, type StoredRule, unlimited } from '../lending/lending-rules.ts';
import { coveredLending } from '../lending/military.ts';
import { isAboveLimits } from '../lending/splits.ts';
import { defaultTerms, type Terms, toTerms } from '../partners/terms.ts';
import { addDays, daysBetween, hourOf } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { computeQuotes } from './quote.ts';

/** Computes the annual percentage rate by Newton's method, in percent. `apr.ts` bisects instead. */
function rateOf(
  advanced: number,
  payments: readonly { readonly days: number; readonly cents: number }[],
): number {
  const gaps = payments.slice(1).map((it, index) => it.days - (payments[index]?.days ?? 0));
  const uses = (gap: number) => gaps.filter((it) => it === gap).length;
  const most = Math.max(...gaps.map(uses));
  const unit = Math.min(...gaps.filter((it) => uses(it) === most));
  let rate = 0.01;
  for (let step = 0; step < 200; step += 1) {
    let [excess, slope] = [-advanced, 0];
    for (const { days, cents } of payments) {
      const whole = Math.trunc(days / unit);
      const part = days / unit - whole;
      const worth = cents / ((1 + part * rate) * (1 + rate) ** whole);
      excess += worth;
      slope -= worth * (part / (1 + part * rate) + whole / (1 + rate));
    }
    const next = Math.max(rate - excess / slope, rate / 10);
    if (Math.abs(next - rate) < 1e-14) break;
    rate = next;
  }
  return rate * (unit === 7 ? 52 : 365 / unit) * 100;
}

const situation = fc.record({
  dueDate: fc.integer({ min: 0, max: 1460 }).map((days) => addDays('2026-01-01', days)),
  offset: fc.integer({ min: -7, max: 9 }),
  amountInCents: fc.integer({ min: 100_00, max: 5_000_00 }),
  terms: fc
    .record({
      fee_in_cents: fc.integer({ min: 0, max: 100_00 }),
      installment_counts: fc.subarray([2, 3, 4, 6], { minLength: 1 }),
      days_apart: fc.integer({ min: 1, max: 4 }),
    })
    .map((change) => toTerms('other', { ...defaultTerms.source, ...change })),
  home: fc.constantFrom('TX', 'NY'),
  rules: fc.uniqueArray(
    fc.record({
      partnerId: fc.constantFrom('ptn_1', null),
      state: fc.constantFrom('TX', 'NY', null),
      maximum_apr_bps: fc.option(fc.integer({ min: 0, max: 20_000 })),
      maximum_fee_in_cents: fc.option(fc.integer({ min: 0, max: 100_00 })),
    }),
    { selector: ({ partnerId, state }) => `${partnerId} ${state}`, maxLength: 3 },
  ),
  /** True if the Military Lending Act applies, which allows 36 %. */
  isCovered: fc.boolean(),
});

/** Returns what a quote is computed from, without the limits. */
function factsOf({
  dueDate,
  today,
  amountInCents,
  terms,
}: {
  dueDate: string;
  today: string;
  amountInCents: number;
  terms: Terms;
}) {
  const at = hourOf(today, 12, 'UTC') as TenantTime;
  const charge = toCharge(
    { id: 'C', due_date: dueDate, amount_in_cents: amountInCents, amount_paid_in_cents: 0 },
    'rent',
  );
  const cycle = currentCycle({
    charges: [charge],
    simulatedDate: null,
    at,
    timeZone: 'UTC',
    terms,
  });
  if (!cycle) throw new Error('an unpaid charge belongs to a cycle');
  return {
    applicationId: 'app_1',
    planId: 'pln_1',
    signer: null,
    variant: 'rent' as const,
    creditor: sandboxCreditor,
    method: null,
    cycle,
    at,
    timeZone: 'UTC',
    terms,
    paydays: null,
    warnings: [],
  };
}

type Rule = Parameters<Parameters<typeof situation.map>[0]>[0]['rules'][number];

function stored({ partnerId, state, ...rule }: Rule, index: number): StoredRule {
  return {
    id: `lnr_${index}`,
    number: index,
    partnerId,
    pms: null,
    state,
    effectiveFrom: '2025-01-01',
    rule,
    carriedOver: false,
    createdBy: 'counsel',
    reason: 'test',
  };
}

test('no quote costs more than the state allows, and none within the limits is left out', () => {
  const seen = { left: 0, refused: 0, covered: 0 };
  fc.assert(
    fc.property(situation, ({ dueDate, offset, amountInCents, terms, home, rules, isCovered }) => {
      const today = addDays(dueDate, offset);
      const facts = factsOf({ dueDate, today, amountInCents, terms });
      const all = computeQuotes({ ...facts, lending: unlimited });
      const ofState = resolveLending(rules.map(stored), {
        partnerId: 'ptn_1',
        state: home,
        today,
        environment: 'sandbox',
      });
      const applying = rules.filter(({ state }) => state === null || state === home);
      const lending = isCovered ? coveredLending(ofState, '800-555-0100') : ofState;
      const offered = computeQuotes({ ...facts, lending });
      const isWithin = (quote: (typeof all)[number]) => {
        const payments = quote.installments.map((it) => ({
          days: daysBetween(today, it.due_date),
          cents: it.amount_in_cents,
        }));
        const rate = quote.fee_in_cents === 0 ? 0 : rateOf(amountInCents, payments);
        expect(Math.abs(quote.apr_bps / 100 - rate)).toBeLessThan(0.01);
        if (isCovered && rate > 36) return false;
        return applying.every(
          (rule) =>
            quote.fee_in_cents <= (rule.maximum_fee_in_cents ?? Infinity) &&
            rate <= (rule.maximum_apr_bps ?? Infinity) / 100,
        );
      };
      const within = all.filter(isWithin);
      expect(offered.map((it) => it.id)).toEqual(within.map((it) => it.id));
      expect(isAboveLimits({ ...facts, lending })).toBe(all.length > 0 && within.length === 0);
      if (isCovered) {
        expect(computeQuotes({ ...facts, lending: coveredLending(ofState, null) })).toEqual([]);
        seen.covered += offered.length;
      }
      seen.left += offered.length;
      seen.refused += all.length - offered.length;
    }),
    { numRuns: 1_000 },
  );
  expect(seen.left).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(100);
  expect(seen.covered).toBeGreaterThan(100);
}, 60_000);

test.each([
  ['36.0049 %', 3_861_56, []],
  ['36.00003 %', 3_862_08, []],
  ['35.9998 %', 3_862_10, [3600]],
])('a limit of 36 %% is compared with the exact rate, here %s', (_, amountInCents, offered) => {
  const today = '2026-02-01';
  const facts = factsOf({ dueDate: today, today, amountInCents, terms: defaultTerms });
  const limits = [{ ...unlimited, maximumAprBps: 3600 }, coveredLending(unlimited, '800-555-0100')];
  for (const lending of limits) {
    const inTwo = computeQuotes({ ...facts, lending }).filter((it) => it.installment_count === 2);
    expect(inTwo.map((it) => it.apr_bps)).toEqual(offered);
  }
});
