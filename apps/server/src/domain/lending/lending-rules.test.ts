import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Lending,
  type LendingRule,
  resolveLending,
  type StoredRule,
} from './lending-rules.ts';

let number = 0;

function ruleOf(
  rule: LendingRule,
  of: { partnerId?: string; state?: string; from?: string } = {},
): StoredRule {
  number += 1;
  return {
    id: `lnr_${number}`,
    number,
    partnerId: of.partnerId ?? null,
    pms: null,
    state: of.state ?? null,
    effectiveFrom: of.from ?? '2026-01-01',
    rule,
    carriedOver: false,
    createdBy: 'test',
    reason: 'test',
  };
}

const austin = { partnerId: 'ptn_1', state: 'TX', today: '2026-03-01' };

function inProduction(rules: readonly StoredRule[], place: Partial<typeof austin> = {}): Lending {
  return resolveLending(rules, { ...austin, ...place, environment: 'production' });
}

test('production offers nothing until a state is listed and the APR is decided', () => {
  const listed = ruleOf({ offered: true }, { state: 'TX' });
  expect(inProduction([]).refusal).toBe('not_offered_in_state');
  expect(inProduction([listed]).refusal).toBe('not_offered_in_state');
  const decided = [listed, ruleOf({ maximum_apr_bps: null })];
  expect(inProduction(decided)).toMatchObject({
    refusal: null,
    state: 'Texas',
    maximumAprBps: null,
  });
  expect(inProduction(decided, { state: 'NY' }).refusal).toBe('not_offered_in_state');
});

test('the sandbox offers all states, unless a rule says otherwise', () => {
  const inSandbox = (rules: readonly StoredRule[], state: string | null) =>
    resolveLending(rules, { ...austin, state, environment: 'sandbox' }).refusal;
  expect(inSandbox([], 'TX')).toBe(null);
  expect(inSandbox([], null)).toBe(null);
  expect(inSandbox([ruleOf({ offered: false }, { state: 'NY' })], 'NY')).toBe(
    'not_offered_in_state',
  );
});

test('a home without a known state gets no loan in production, whatever is listed', () => {
  const all = [ruleOf({ offered: true, maximum_apr_bps: null })];
  const nowhere = { ...austin, state: null, environment: 'production' } as const;
  expect(resolveLending(all, nowhere).refusal).toBe('state_unknown');
});

test('a rule for a partner cannot lift what the state forbids', () => {
  const rules = [
    ruleOf({ offered: false, maximum_apr_bps: 1_600 }, { state: 'NY' }),
    ruleOf(
      { offered: true, maximum_apr_bps: null, license: 'of the partner' },
      { partnerId: 'ptn_1' },
    ),
  ];
  expect(inProduction(rules, { state: 'NY' })).toEqual({
    state: 'New York',
    military: null,
    refusal: 'not_offered_in_state',
    needsAprLimit: false,
    maximumAprBps: 1_600,
    maximumFeeInCents: null,
    license: 'of the partner',
  });
});

test('of one scope, the rule that took effect last counts', () => {
  const rules = [
    ruleOf({ offered: true, maximum_apr_bps: 3_600 }, { state: 'TX' }),
    ruleOf({ offered: false }, { state: 'TX', from: '2026-04-01' }),
    ruleOf({ offered: true, maximum_apr_bps: 3_000 }, { state: 'TX', from: '2026-02-01' }),
  ];
  expect(inProduction(rules)).toMatchObject({ refusal: null, maximumAprBps: 3_000 });
  expect(inProduction(rules, { today: '2026-04-01' }).refusal).toBe('not_offered_in_state');
});

const anyRule = fc.record(
  {
    offered: fc.boolean(),
    maximum_apr_bps: fc.option(fc.integer({ min: 0, max: 100_000 })),
    maximum_fee_in_cents: fc.option(fc.integer({ min: 0, max: 500_00 })),
  },
  { requiredKeys: [] },
);
const scoped = fc.record({
  rule: anyRule,
  of: fc.record(
    { partnerId: fc.constantFrom('ptn_1', 'ptn_2'), state: fc.constantFrom('TX', 'NY') },
    { requiredKeys: [] },
  ),
});

test('a further rule of another scope never lifts a limit or a refusal', () => {
  const scopes = fc.uniqueArray(scoped, {
    selector: ({ of }) => `${of.partnerId} ${of.state}`,
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(scopes, ([further, ...some]) => {
      const rules = some.map((it) => ruleOf(it.rule, it.of));
      const before = inProduction(rules);
      const after = inProduction([
        ...rules,
        ...(further ? [ruleOf(further.rule, further.of)] : []),
      ]);
      expect(after.maximumAprBps ?? Infinity).toBeLessThanOrEqual(before.maximumAprBps ?? Infinity);
      expect(after.maximumFeeInCents ?? Infinity).toBeLessThanOrEqual(
        before.maximumFeeInCents ?? Infinity,
      );
      const forbids = rules.some(
        ({ rule, partnerId, state }) =>
          rule.offered === false && partnerId !== 'ptn_2' && (state === null || state === 'TX'),
      );
      if (forbids) expect(after.refusal).toBe('not_offered_in_state');
    }),
    { numRuns: 2_000 },
  );
});
