import { expect, test } from 'vitest';
import { type AmountsInput, planAmounts } from './amounts.ts';

type State = AmountsInput['parts'][number]['state'];

/** Four installments of 410.03 and 380.03; `credited` and `partPaid` by number. */
function inputOf(
  states: readonly State[],
  {
    credited = {},
    partPaid = {},
    ...change
  }: Partial<AmountsInput> & {
    credited?: Record<number, number>;
    partPaid?: Record<number, number>;
  } = {},
): AmountsInput {
  const parts = states.map((state, index) => {
    const number = index + 1;
    const agreedInCents = number === 1 ? 41_003 : 38_003;
    const creditedInCents = credited[number] ?? 0;
    // A canceled installment keeps its last amount.
    const partPaidInCents = partPaid[number] ?? 0;
    const owedInCents = agreedInCents - partPaidInCents;
    const amountInCents =
      creditedInCents === owedInCents ? owedInCents : owedInCents - creditedInCents;
    return { number, state, amountInCents, agreedInCents, creditedInCents, partPaidInCents };
  });
  const creditedInCents = parts.reduce((sum, it) => sum + it.creditedInCents, 0);
  const facts = {
    creditedInCents,
    waivedInCents: 0,
    refundedInCents: 0,
    lostInCents: 0,
    received: [],
  };
  return { state: 'active', parts, ...facts, ...change };
}

const leftOf = (input: AmountsInput) =>
  planAmounts(input).installments.map((it) => it.left_in_cents);

test('a credit reduces what is left, and the parts still add up to the agreed total', () => {
  const amounts = planAmounts(
    inputOf(['paid', 'scheduled', 'scheduled', 'canceled'], {
      credited: { 3: 11_997, 4: 38_003 },
    }),
  );
  expect(amounts).toMatchObject({
    agreed_in_cents: 155_012,
    credited_in_cents: 50_000,
    paid_in_cents: 41_003,
    left_in_cents: 64_009,
    late_in_cents: 0,
    canceled_in_cents: 0,
  });
  expect(amounts.installments.map((it) => it.left_in_cents)).toEqual([0, 38_003, 26_006, 0]);
});

test('an installment is late if it failed or was not paid on its day', () => {
  const amounts = planAmounts(inputOf(['overdue', 'failed', 'scheduled', 'paid']));
  expect(amounts).toMatchObject({ late_in_cents: 79_006, left_in_cents: 117_009 });
});

test('a canceled plan owes nothing', () => {
  const amounts = planAmounts(
    inputOf(['canceled', 'canceled', 'canceled', 'canceled'], { state: 'canceled' }),
  );
  expect(amounts).toMatchObject({ canceled_in_cents: 155_012, left_in_cents: 0 });
});

test('an amount credited before a charge-off is not owed', () => {
  const input = inputOf(['paid', 'canceled', 'canceled', 'canceled'], {
    state: 'charged_off',
    credited: { 3: 11_997, 4: 38_003 },
    lostInCents: 64_009,
  });
  expect(leftOf(input)).toEqual([0, 38_003, 26_006, 0]);
});

test('after a charge-off, a won dispute pays its installment, and credits pay the last ones', () => {
  const amounts = planAmounts(
    inputOf(['canceled', 'canceled', 'canceled', 'canceled'], {
      state: 'charged_off',
      lostInCents: 155_012 - 41_003 - 50_000,
      creditedInCents: 50_000,
      received: [1],
    }),
  );
  expect(amounts.installments.map((it) => it.left_in_cents)).toEqual([0, 38_003, 26_006, 0]);
  expect(amounts.installments.map((it) => it.credited_in_cents)).toEqual([0, 0, 11_997, 38_003]);
  expect(amounts).toMatchObject({ paid_in_cents: 41_003, credited_in_cents: 50_000 });
});

test('a loss that was recovered in full leaves nothing owed', () => {
  const amounts = planAmounts(
    inputOf(['paid', 'canceled', 'canceled', 'canceled'], {
      state: 'charged_off',
      creditedInCents: 114_009,
    }),
  );
  expect(amounts).toMatchObject({ left_in_cents: 0, late_in_cents: 0, paid_in_cents: 41_003 });
});

test.each([
  ['active', 'scheduled', { paid_in_cents: 51_003, left_in_cents: 104_009 }],
  ['canceled', 'canceled', { paid_in_cents: 51_003, canceled_in_cents: 104_009 }],
  ['charged_off', 'canceled', { paid_in_cents: 51_003, left_in_cents: 104_009 }],
] as const)('a part payment counts as paid while the plan is %s', (state, open, expected) => {
  const input = inputOf(['paid', open, open, open], { state });
  const parts = input.parts.map((it) =>
    it.number === 2
      ? { ...it, amountInCents: it.amountInCents - 10_000, partPaidInCents: 10_000 }
      : it,
  );
  const lostInCents = state === 'charged_off' ? 104_009 : 0;
  expect(planAmounts({ ...input, parts, lostInCents })).toMatchObject(expected);
});

test('the part of a payment that its bank did not take back stays paid', () => {
  const partPaid = { 1: 30_000 };
  const open = planAmounts(inputOf(['overdue', 'paid', 'paid', 'paid'], { partPaid }));
  expect(open.installments[0]).toMatchObject({ paid_in_cents: 30_000, left_in_cents: 11_003 });
  expect(open).toMatchObject({ paid_in_cents: 144_009, late_in_cents: 11_003 });

  const off = { state: 'charged_off', lostInCents: 11_003 } as const;
  const lost = planAmounts(inputOf(['canceled', 'paid', 'paid', 'paid'], { partPaid, ...off }));
  expect(lost).toMatchObject({ paid_in_cents: 144_009, left_in_cents: 11_003 });

  // The landlord has credited what was owed again.
  const credited = { 1: 11_003 };
  const done = inputOf(['canceled', 'paid', 'paid', 'paid'], { partPaid, credited });
  expect(planAmounts(done)).toMatchObject({
    agreed_in_cents: 155_012,
    credited_in_cents: 11_003,
    canceled_in_cents: 0,
    paid_in_cents: 144_009,
    left_in_cents: 0,
  });
});
