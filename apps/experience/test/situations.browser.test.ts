import type { ExperienceState, PlanManagement } from '@svc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Situation, situations } from '../src/screens/manage/situation.ts';
import { chooseLanguage, press, waitForTitle } from './fixture/actions.ts';
import { amountsOf, managementOf } from './fixture/management.ts';
import { bankAccount, visa } from './fixture/methods.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { partsOf, planOf } from './fixture/states.ts';
import { halfway, late, reopened, waiting, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

type Plan = NonNullable<ExperienceState['plan']>;
type Failure = PlanManagement['installments'][number]['failure'];

const today = '2026-02-12';
const active = (states: Parameters<typeof partsOf>[2], change: Partial<Plan> = {}) =>
  planOf(4, { installments: partsOf(152012, 4, states), ...change });
const lost = active(['paid', 'canceled', 'canceled', 'canceled'], { state: 'charged_off' });
const overdue = active(['paid', 'overdue']);

function failing(plan: Plan, failure: Failure, change: Partial<PlanManagement> = {}) {
  const { installments } = managementOf(plan);
  const failed = installments.map((it) =>
    it.id === 'ins_2' ? { ...it, failure, next_attempt_on: null } : it,
  );
  return withPlan(plan, { today }, { installments: failed, ...change });
}

const refused = (return_code: string): Failure => ({
  return_code,
  message: '',
  taken_back: false,
});
const closed = {
  payment_method: bankAccount('0002'),
  method_refusal: { return_code: 'R02', is_final: true },
};

/** For each situation: a state that leads to it, the primary button in both languages, and a text on screen. */
const cases: Record<
  Situation,
  { state: ExperienceState; en: string | null; es: string | null; says: string }
> = {
  waiting: {
    state: withPlan(waiting),
    en: null,
    es: null,
    says: 'You can cancel until then.',
  },
  confirmation: {
    state: withPlan(active(['paid', 'processing']), {
      today: '2026-02-09',
      confirmation: { payment_id: 'pay_1', amount_in_cents: 38_003 },
    }),
    en: 'Confirm at my bank',
    es: 'Confirmar en mi banco',
    says: 'Confirm at my bank',
  },
  on_track: {
    state: withPlan(halfway),
    en: null,
    es: null,
    says: 'We’ll charge your bank account ending in 0000 that day.',
  },
  due_today: {
    state: withPlan(halfway, { today: '2026-02-17' }),
    en: null,
    es: null,
    says: 'We’ll charge your bank account ending in 0000 today.',
  },
  processing: {
    state: withPlan(active(['paid', 'processing']), { today: '2026-02-09' }),
    en: null,
    es: null,
    says: 'Your February 9 payment is on its way',
  },
  paused: {
    state: withPlan(halfway, {}, { collections_paused: true }),
    en: null,
    es: null,
    says: 'It was planned for Tuesday, February 17. We won’t charge it during the pause.',
  },
  pay_by_hand: {
    state: withPlan(halfway, { today }, { autopay: false }),
    en: 'Pay $380.03 now',
    es: 'Pagar $380.03 ahora',
    says: 'Pay by Tuesday, February 17',
  },
  by_hand_later: {
    state: withPlan(halfway, {}, { autopay: false }),
    en: null,
    es: null,
    says: 'Autopay is off. Pay it here by that day.',
  },
  card_ends: {
    state: withPlan(
      halfway,
      {},
      {
        payment_method: { ...visa('4242'), expires: '2026-01' },
        card_ends_before: '2026-02-25',
      },
    ),
    en: 'Change how you pay',
    es: 'Cambiar la forma de pago',
    says: 'Your card expires 01/26',
  },
  account_refused: {
    state: withPlan(halfway, {}, closed),
    en: 'Change how you pay',
    es: 'Cambiar la forma de pago',
    says: 'We can’t use your bank account ending in 0002 anymore',
  },
  unpaid: {
    state: failing(overdue, null, { autopay: false }),
    en: 'Pay $380.03 now',
    es: 'Pagar $380.03 ahora',
    says: 'Your February 9 payment is late',
  },
  retrying: {
    state: withPlan(late, { today }),
    en: 'Pay $380.03 now',
    es: 'Pagar $380.03 ahora',
    says: 'We’ll try again on Friday, February 13.',
  },
  failed: {
    state: failing(overdue, refused('R01')),
    en: 'Pay $380.03 now',
    es: 'Pagar $380.03 ahora',
    says: 'We won’t try again automatically.',
  },
  taken_back: {
    state: failing(overdue, { return_code: 'R10', message: '', taken_back: true }),
    en: 'Pay $380.03 now',
    es: 'Pagar $380.03 ahora',
    says: 'Your February 9 payment was returned',
  },
  late_account_refused: {
    state: failing(overdue, refused('R02'), closed),
    en: 'Pay $380.03 another way',
    es: 'Pagar $380.03 de otra forma',
    says: 'Choose another account or card for your payments.',
  },
  earlier_plan: {
    state: reopened,
    en: 'Pay $410.03 now',
    es: 'Pagar $410.03 ahora',
    says: 'You owe $410.03 on your January plan',
  },
  completed: {
    state: withPlan(active(['paid', 'paid', 'paid', 'paid'], { state: 'completed' }), {
      step: 'done',
    }),
    en: null,
    es: null,
    says: 'You paid $1,550.12, and you don’t owe anything on this plan.',
  },
  canceled: {
    state: withPlan(
      active(['canceled', 'canceled', 'canceled', 'canceled'], { state: 'canceled' }),
    ),
    en: null,
    es: null,
    says: 'We won’t charge any more payments for it.',
  },
  charged_off: {
    state: withPlan(lost, { today: '2026-06-20' }),
    en: 'Email us',
    es: 'Escríbenos',
    says: '$1,140.09',
  },
  settled: {
    state: withPlan(
      lost,
      { today: '2026-06-20' },
      { amounts: amountsOf(lost, { 2: 38003, 3: 38003, 4: 38003 }) },
    ),
    en: null,
    es: null,
    says: 'You don’t owe anything on this plan.',
  },
};

const primary = '.svc-button:not(.svc-button--secondary, .svc-button--quiet)';

test.for(situations)(
  '%s: shows its primary button without scrolling, and no other one',
  async (situation) => {
    const { state, en, es, says } = cases[situation];
    const it = await stage.open({ state });
    await it.frame.getByText(says).first().waitFor();
    const button = it.frame.locator(primary);
    expect(await button.count()).toBe(en === null ? 0 : 1);
    if (en === null || es === null) {
      await it.close();
      return;
    }
    expect(await button.innerText()).toBe(en);
    // On a phone, without scrolling.
    const box = await button.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    await chooseLanguage(it, 'Español');
    expect(await button.count()).toBe(1);
    expect((await button.innerText()).replaceAll('\u00a0', ' ')).toMatch(
      new RegExp(es.replace('$', '\\$')),
    );
    await it.close();
  },
);

/** The next event, the amount owed, and the tenant's options. For a closed plan, the balance answers the last two. */
const answers = [
  'h1',
  '.summary :is(.amount, .summary__end)',
  '.summary :is(.action-row, .summary__end)',
];
const urgent: readonly Situation[] = [
  'on_track',
  'due_today',
  'unpaid',
  'retrying',
  'failed',
  'taken_back',
  'completed',
  'charged_off',
];

test.for(urgent)(
  '%s: says in the first 600 px what comes next, what is owed and what to do, each figure once',
  async (situation) => {
    const it = await stage.open({ state: cases[situation].state });
    await it.frame.getByText(cases[situation].says).first().waitFor();
    for (const language of ['English', 'Español'] as const) {
      if (language !== 'English') await chooseLanguage(it, language);
      for (const answer of answers) {
        const box = await it.frame.locator(answer).first().boundingBox();
        expect(box, answer).not.toBeNull();
        expect((box?.y ?? 0) + (box?.height ?? 0), `${language} ${answer}`).toBeLessThan(600);
      }
      const said = it.frame.locator('.heading, .content > .svc-notice, .summary');
      const figures = (await said.allInnerTexts()).join(' ').match(/\$[\d,.]*\d/g) ?? [];
      expect(figures.length).toBeGreaterThan(0);
      expect(figures, language).toEqual([...new Set(figures)]);
    }
    await it.close();
  },
);

test('a payment that waits for a confirmation at the bank is not on its way', async () => {
  const confirmation = { payment_id: 'pay_1', amount_in_cents: 38_003 };
  for (const plan of [waiting, active(['paid', 'processing'])]) {
    const it = await stage.open({ state: withPlan(plan, { confirmation }) });
    await waitForTitle(it, 'Your bank wants you to confirm a payment');
    expect(await it.frame.getByText(/on its way|We’re taking/).count()).toBe(0);
    const text = it.frame.getByText('Not paid yet. Confirm it at your bank first.');
    expect(await text.count()).toBe(plan === waiting ? 0 : 1);
    await chooseLanguage(it, 'Español');
    await waitForTitle(it, 'Tu banco te pide confirmar un pago');
    await it.close();
  }
});

test('a pause of collections and a payment to confirm at the bank are explained in both languages', async () => {
  const confirmation = { payment_id: 'pay_1', amount_in_cents: 38_003 };
  const state = withPlan(halfway, { confirmation }, { collections_paused: true });
  const it = await stage.open({ state });
  await it.frame.getByText('Autopay is paused').waitFor();
  await it.frame.getByText(/It was planned for .* We won’t charge it during the pause\./).waitFor();
  expect(await it.frame.getByText('We’ll charge your bank').count()).toBe(0);
  const link = it.frame.getByRole('link', { name: 'Confirm at my bank' });
  expect(await link.getAttribute('href')).toBe('https://bank.example/confirm');
  expect(await link.getAttribute('target')).toBe('_blank');
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('Los pagos automáticos están en pausa').waitFor();
  await it.frame.getByRole('link', { name: 'Confirmar en mi banco' }).waitFor();
  await it.close();
});

test('a late payment that was not attempted is not called failed', async () => {
  const it = await stage.open({ state: cases.unpaid.state });
  await waitForTitle(it, 'Your February 9 payment is late');
  await it.frame.getByText('Autopay is off, so we didn’t charge it.').waitFor();
  expect(await it.frame.getByText('didn’t go through').count()).toBe(0);
  expect(await it.frame.getByText(/Nothing left/).count()).toBe(0);
  await it.close();
});

test('if the account is closed, another one can be entered and charged on the pay page', async () => {
  const it = await stage.open({ state: cases.late_account_refused.state });
  await press(it, 'Pay $380.03 another way');
  await waitForTitle(it, 'What do you want to pay now?');
  await it.frame.getByText('We can’t use your bank account ending in 0002 anymore').waitFor();
  await it.frame.getByText('The account is closed.').waitFor();
  expect(await it.frame.getByRole('radio', { name: /^Keep your/ }).count()).toBe(0);
  expect(await it.frame.getByRole('radio', { name: /^Bank account/ }).isChecked()).toBe(true);
  await it.frame.getByLabel('Debit card').check();
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('Check the card number.').waitFor();
  await it.frame.getByLabel('Card number').fill('4242424242424242');
  await it.frame.getByLabel('Expiration date').fill('12/28');
  await it.frame.getByLabel('Security code').fill('123');
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('You paid $380.03').waitFor();
  await it.frame.getByText('$760.06 left', { exact: true }).waitFor();
  const calls = stage.service.calls.map(({ call }) => call);
  expect(calls.slice(-2)).toEqual(['POST /payment_method', `POST /plan/${overdue.id}/pay`]);
  await it.close();
});

test('the current account is used until the tenant changes it', async () => {
  const it = await stage.open({ state: cases.pay_by_hand.state });
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('Bank account ending in 0000').waitFor();
  expect(await it.frame.locator('input[name=method]').count()).toBe(0);
  await press(it, 'Change how you pay');
  const kept = it.frame.getByRole('radio', { name: /^Keep your bank account/ });
  expect(await kept.isChecked()).toBe(true);
  await it.close();
});

test('several late payments are one sum, marked in the list and paid with one button', async () => {
  const both = active(['paid', 'overdue', 'overdue'], { state: 'past_due' });
  const it = await stage.open({ state: withPlan(both, { today: '2026-03-20' }) });
  await waitForTitle(it, 'This plan is past due');
  expect(await it.frame.locator('.summary').innerText()).toContain('$760.06');
  const late = it.frame.getByRole('listitem').filter({ hasText: 'Late' });
  expect(
    (await late.allInnerTexts()).map((row) => row.replaceAll('\u00a0', ' ').split('\n')[0]),
  ).toEqual(['Mon, Feb 9', 'Tue, Feb 17']);
  await press(it, 'Pay $760.06 now');
  await press(it, 'Pay $760.06 now');
  await it.frame.getByText('You paid $760.06').waitFor();
  await it.close();
});

test('a tenant who can’t make a payment moves it, pays a part of it, or asks', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  const cantPay = () => press(it, /^Can’t make this payment/);
  await cantPay();
  await it.frame.getByText('Your February 17 payment is $380.03.').waitFor();
  await it.frame.getByText('You won’t pay a late fee.').waitFor();
  await it.frame.getByText('If it’s 120 days late, we’ll close the plan.').waitFor();
  const link = await it.frame.getByRole('link', { name: /^Get help/ }).getAttribute('href');
  expect(decodeURIComponent(link ?? '')).toBe(
    `mailto:help@svc.example?subject=I can’t make a payment: plan ${halfway.id}`,
  );
  await press(it, /^Move it to another day/);
  await waitForTitle(it, 'Move a payment');
  await press(it, 'Back');
  await cantPay();
  await press(it, /^Pay part of it now/);
  await press(it, 'Pay now');
  await it.frame.getByText('Enter an amount from $20.00 to $360.03.').waitFor();
  const amount = it.frame.getByLabel('Amount to pay now');
  // A comma is a decimal sign too, and never makes an amount larger.
  await amount.fill('1,5');
  await press(it, 'Pay $1.50 now');
  await it.frame.getByText('Enter an amount from $20.00 to $360.03.').waitFor();
  await amount.fill('25,50');
  await it.frame.getByRole('button', { name: 'Pay $25.50 now' }).waitFor();
  await amount.fill('1.500');
  await press(it, 'Pay now');
  await it.frame.getByText('Did you mean $1,500.00 or $1.50?').waitFor();
  await amount.fill('100');
  await press(it, 'Pay $100.00 now');
  await it.frame.getByText('You paid $100.00').waitFor();
  await it.frame.getByText('You paid part of your February 17 payment').waitFor();
  await it.frame.getByText('Originally $380.03').waitFor();
  expect(await it.frame.locator('.summary .amount').innerText()).toBe('$280.03');
  await it.close();
});

test('a closed plan says what was refunded', async () => {
  const paid = active(['paid', 'paid', 'paid', 'paid'], { state: 'completed' });
  const amounts = { ...amountsOf(paid), refunded_in_cents: 38_003 };
  const it = await stage.open({ state: withPlan(paid, {}, { amounts }) });
  await it.frame.getByText('You paid $1,550.12, and we refunded you $380.03.').waitFor();
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('y te reembolsamos').waitFor();
  await it.close();
});

test('a closed account is not offered for the remaining payments', async () => {
  const it = await stage.open({ state: cases.account_refused.state });
  await press(it, /^Change how you pay Bank/);
  await it.frame.getByText('The account is closed.').waitFor();
  expect(await it.frame.getByRole('radio', { name: /^Keep your/ }).count()).toBe(0);
  expect(await it.frame.getByRole('radio', { name: /^Bank account/ }).isChecked()).toBe(true);
  await it.close();
});

test('a declined payment and the late plan below it give the reason once', async () => {
  const declined = { payment_method: visa('9995') };
  const it = await stage.open({ state: withPlan(late, { today, ...declined }, declined) });
  const reason = it.frame.getByText('There wasn’t enough money in the account.');
  expect(await reason.count()).toBe(1);
  await press(it, /^Pay \$380/);
  await press(it, /^Pay \$380/);
  await it.frame.getByText(/^Your payment was declined/).waitFor();
  expect(await reason.count()).toBe(1);
  await it.frame.getByText('We’ll try again on Friday, February 13.').waitFor();
  await it.close();
});

test('two receipts of one day have different titles', async () => {
  const { receipts } = managementOf(halfway);
  const sameDay = receipts.map((it) => ({ ...it, paid_on: '2026-02-09' }));
  const it = await stage.open({ state: withPlan(halfway, {}, { receipts: sameDay }) });
  await it.frame.getByRole('button', { name: 'Receipt for February 9, 2026 $410.03' }).waitFor();
  await press(it, /^Receipt for February 9, 2026 \(2\) \$380\.03/);
  await waitForTitle(it, 'Receipt for February 9, 2026 (2)');
  await it.close();
});
