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
const cases: Record<Situation, { state: ExperienceState; en: string; es: string; says: string }> = {
  waiting: {
    state: withPlan(waiting),
    en: 'Back to your resident portal',
    es: 'Volver a tu portal',
    says: 'Until then you can still cancel.',
  },
  on_track: {
    state: withPlan(halfway),
    en: 'Back to your resident portal',
    es: 'Volver a tu portal',
    says: 'We’ll take it from your bank account ending in 0000 on Tuesday, February 17.',
  },
  pay_by_hand: {
    state: withPlan(halfway, {}, { autopay: false }),
    en: 'Pay $380.03 now',
    es: 'Pagar $380.03 ahora',
    says: 'Autopay is off. Pay it here by Tuesday, February 17.',
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
    says: 'Your card ends 01/26',
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
    says: 'You still owe $380.03, due Monday, February 9.',
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
    says: 'The bank took a payment back',
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
    says: 'You owe money on your January plan again',
  },
  completed: {
    state: withPlan(active(['paid', 'paid', 'paid', 'paid'], { state: 'completed' }), {
      step: 'done',
    }),
    en: 'Back to your resident portal',
    es: 'Volver a tu portal',
    says: 'You paid $1,550.12. Nothing is left to pay.',
  },
  canceled: {
    state: withPlan(
      active(['canceled', 'canceled', 'canceled', 'canceled'], { state: 'canceled' }),
    ),
    en: 'Back to your resident portal',
    es: 'Volver a tu portal',
    says: 'No more payments leave your account for it.',
  },
  charged_off: {
    state: withPlan(lost, { today: '2026-06-20' }),
    en: 'Email us',
    es: 'Escríbenos',
    says: 'You still owe $1,140.09.',
  },
  settled: {
    state: withPlan(
      lost,
      { today: '2026-06-20' },
      { amounts: amountsOf(lost, { 2: 38003, 3: 38003, 4: 38003 }) },
    ),
    en: 'Back to your resident portal',
    es: 'Volver a tu portal',
    says: 'Nothing is left to pay.',
  },
};

const primary = '.svc-button:not(.svc-button--secondary, .svc-button--quiet)';

test.for(situations)(
  '%s: shows the right primary button, and only one, without scrolling',
  async (situation) => {
    const { state, en, es, says } = cases[situation];
    const it = await stage.open({ state });
    await it.frame.getByText(says).first().waitFor();
    const button = it.frame.locator(primary);
    expect(await button.count()).toBe(1);
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

test('a late payment that was not attempted is not called failed', async () => {
  const it = await stage.open({ state: cases.unpaid.state });
  await it.frame.getByText('A payment is late').waitFor();
  await it.frame.getByText('Autopay is off, so we didn’t try to take it.').waitFor();
  expect(await it.frame.getByText('did not go through').count()).toBe(0);
  expect(await it.frame.getByText(/Nothing left/).count()).toBe(0);
  await it.close();
});

test('if the account is closed, another one can be entered and charged on the pay page', async () => {
  const it = await stage.open({ state: cases.late_account_refused.state });
  await press(it, 'Pay $380.03 another way');
  await waitForTitle(it, 'What do you want to pay now?');
  const old = it.frame.getByRole('radio', { name: /^Keep your bank account ending in 0002/ });
  expect(await old.isChecked()).toBe(false);
  await it.frame.getByText('Payment declined. The account is closed.').waitFor();
  expect(await it.frame.getByRole('radio', { name: /^Bank account/ }).isChecked()).toBe(true);
  await it.frame.getByLabel('Debit card').check();
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('Check the number.').waitFor();
  await it.frame.getByLabel('Card number').fill('4242424242424242');
  await it.frame.getByLabel('Expiration date').fill('12/28');
  await it.frame.getByLabel('Security code').fill('123');
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('$380.03 is paid').waitFor();
  await waitForTitle(it, '2 payments left: $760.06');
  const calls = stage.service.calls.map(({ call }) => call);
  expect(calls.slice(-2)).toEqual(['POST /payment_method', `POST /plan/${overdue.id}/pay`]);
  await it.close();
});

test('the current account is used until the tenant changes it', async () => {
  const it = await stage.open({ state: cases.pay_by_hand.state });
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('Bank account ending in 0000').waitFor();
  expect(await it.frame.getByRole('radio').count()).toBe(0);
  await press(it, 'Change how you pay');
  const kept = it.frame.getByRole('radio', { name: /^Keep your bank account/ });
  expect(await kept.isChecked()).toBe(true);
  await it.close();
});
