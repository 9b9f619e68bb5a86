import type { ExperienceState, PlanManagement } from '@svc/contract';
import { press, waitForTitle } from './fixture/actions.ts';
import { amountsOf, event, managementOf } from './fixture/management.ts';
import { bankAccount, visa } from './fixture/methods.ts';
import { pastPlans } from './fixture/past-plan.ts';
import type { Opened } from './fixture/stage.ts';
import { approved, partsOf, planOf, stateOf, waitingPlan } from './fixture/states.ts';
import type { Scene } from './scene.ts';

type Plan = NonNullable<ExperienceState['plan']>;

/** The state of a tenant whose plan is open, or was just closed. */
export function withPlan(
  plan: Plan,
  change: Partial<ExperienceState> = {},
  management: Partial<PlanManagement> = {},
): ExperienceState {
  return stateOf({
    ...approved,
    step: 'manage',
    simulated: false,
    today: '2026-02-09',
    plan,
    management: managementOf(plan, management),
    ...change,
  });
}

const noAction = async () => {};
export const halfway = planOf(4, { installments: partsOf(152012, 4, ['paid', 'paid']) });
export const late = planOf(4, {
  state: 'past_due',
  installments: partsOf(152012, 4, ['paid', 'failed']),
});
export const waiting = waitingPlan(3);
/** The landlord credited a part of the last payment. */
const credited = planOf(4, {
  installments: partsOf(152012, 4, ['paid']).map((part) =>
    part.number === 4 ? { ...part, amount_in_cents: part.amount_in_cents - 12000 } : part,
  ),
});
/** A bank returned a payment of the previous month, and the card expires before this plan's last payment. */
export const reopened = withPlan(
  halfway,
  {
    payment_method: visa('4242'),
    reopened_plan: {
      id: 'pln_earlier',
      rent_cycle_date: '2026-01-01',
      left_in_cents: 41003,
      installment_ids: ['ins_earlier'],
    },
  },
  { payment_method: { ...visa('4242'), expires: '2026-01' }, card_ends_before: '2026-02-25' },
);
const completed = planOf(2, {
  state: 'completed',
  installments: partsOf(152012, 2, ['paid', 'paid']),
});

const planWith = (states: Parameters<typeof partsOf>[2], state: Plan['state'] = 'active') =>
  planOf(4, { state, installments: partsOf(152012, 4, states) });

/** Returns the state after the second payment failed with this return code. */
function failed(
  plan: Plan,
  return_code: string,
  { taken_back = false, ...change }: Partial<PlanManagement> & { taken_back?: boolean } = {},
): ExperienceState {
  const { installments, history } = managementOf(plan);
  const failure = { return_code, message: '', taken_back };
  const entry = event('2026-02-09', taken_back ? 'taken_back' : 'failed', 2, 38003);
  return withPlan(
    plan,
    { today: '2026-02-12' },
    {
      installments: installments.map((it) =>
        it.id === 'ins_2' ? { ...it, failure, next_attempt_on: null } : it,
      ),
      history: [{ ...entry, return_code }, ...history],
      ...change,
    },
  );
}

const partlyPaid = planOf(4, {
  installments: partsOf(152012, 4, ['paid', 'paid']).map((part) =>
    part.number === 3 ? { ...part, amount_in_cents: part.amount_in_cents - 10_000 } : part,
  ),
});
const moved = planOf(4, {
  installments: partsOf(152012, 4, ['paid']).map((part) =>
    part.number === 2 ? { ...part, due_date: '2026-02-27' } : part,
  ),
});
const chargedOff = planWith(['paid', 'canceled', 'canceled', 'canceled'], 'charged_off');
const closedAccount = {
  payment_method: bankAccount('0002'),
  method_refusal: { return_code: 'R02', is_final: true },
};

const states: Record<string, ExperienceState> = {
  'due-today': withPlan(halfway, { today: '2026-02-17' }),
  processing: withPlan(planWith(['paid', 'processing'])),
  confirmation: withPlan(planWith(['paid', 'processing']), {
    confirmation: { payment_id: 'pay_1', amount_in_cents: 38_003 },
  }),
  'failed-no-retry': failed(planWith(['paid', 'overdue']), 'R08'),
  'late-1': withPlan(planWith(['paid', 'overdue']), { today: '2026-02-12' }, { autopay: false }),
  'late-3': withPlan(
    planWith(['paid', 'overdue', 'overdue', 'overdue'], 'past_due'),
    { today: '2026-03-20' },
    { autopay: false },
  ),
  'partly-paid': withPlan(
    partlyPaid,
    {},
    {
      amounts: amountsOf(partlyPaid, {}, { 3: 10_000 }),
      history: [event('2026-02-09', 'paid', 3, 10_000), ...managementOf(halfway).history],
    },
  ),
  moved: withPlan(
    moved,
    {},
    {
      history: [
        {
          ...event('2026-02-05', 'rescheduled', 2, null),
          from: '2026-02-09',
          to: '2026-02-27',
        },
        ...managementOf(moved).history,
      ],
    },
  ),
  disputed: failed(planWith(['paid', 'overdue']), 'charged_back', {
    taken_back: true,
    autopay: false,
    payment_method: visa('4242'),
  }),
  'account-closed': withPlan(halfway, {}, closedAccount),
  'late-account-closed': failed(planWith(['paid', 'overdue']), 'R02', closedAccount),
  'by-hand-soon': withPlan(halfway, { today: '2026-02-14' }, { autopay: false }),
  paused: withPlan(halfway, {}, { collections_paused: true }),
  'confirm-at-bank': withPlan(halfway, {
    confirmation: { payment_id: 'pay_1', amount_in_cents: 38_003 },
  }),
  canceled: withPlan(planWith(['canceled', 'canceled', 'canceled', 'canceled'], 'canceled')),
  settled: withPlan(
    chargedOff,
    { today: '2026-06-20' },
    { amounts: amountsOf(chargedOff, { 2: 38003, 3: 38003, 4: 38003 }) },
  ),
};
const stateScenes: Scene[] = Object.entries(states).map(([name, state]) => ({
  name: `manage-${name}`,
  open: { state },
  // The bank's link arrives after the rest of the screen.
  play: state.confirmation
    ? ({ frame }) => frame.getByRole('link', { name: 'Confirm at my bank' }).waitFor()
    : noAction,
}));

/** Returns a scene of a page that a button opens, for a plan that is half paid. */
function planPage(name: string, button: RegExp, play?: Scene['play']): Scene {
  return {
    name: `manage-${name}`,
    open: { state: withPlan(halfway) },
    play: async (it) => {
      await press(it, button);
      await play?.(it);
    },
  };
}

export const manageScenes: Scene[] = [
  {
    name: 'manage',
    open: {
      state: withPlan(halfway, { past_plans: pastPlans }),
    },
    play: noAction,
  },
  { name: 'manage-reopened', open: { state: reopened }, play: noAction },
  { name: 'manage-late', open: { state: withPlan(late, { today: '2026-02-12' }) }, play: noAction },
  { name: 'manage-waiting', open: { state: withPlan(waiting) }, play: noAction },
  {
    name: 'manage-completed',
    open: { state: withPlan(completed, { step: 'done', today: '2026-02-26' }) },
    play: noAction,
  },
  {
    name: 'manage-charged-off',
    open: {
      state: withPlan(
        {
          ...late,
          state: 'charged_off',
          installments: partsOf(152012, 4, ['paid', 'canceled', 'canceled', 'canceled']),
        },
        { today: '2026-06-20' },
      ),
    },
    play: noAction,
  },
  {
    name: 'manage-by-hand',
    open: { state: withPlan(halfway, {}, { autopay: false }) },
    play: noAction,
  },
  {
    name: 'manage-credited',
    open: {
      state: withPlan(
        credited,
        {},
        {
          amounts: { ...amountsOf(credited, { 4: 12000 }), refunded_in_cents: 3000 },
          history: [
            event('2026-02-08', 'refunded', null, 3000),
            event('2026-02-08', 'credited', null, 12000),
            event('2026-02-07', 'charge_changed', null, -15000),
            event('2026-02-06', 'charge_changed', null, 4000),
            event('2026-02-01', 'paid', 1, 41003),
            event('2026-02-01', 'accepted', null, null),
          ],
        },
      ),
    },
    play: noAction,
  },
  planPage('pay', /^Pay early/),
  planPage('move', /^Move a payment/, async ({ frame }) => {
    await frame.locator('input[name=due_date]').nth(3).check();
  }),
  planPage('move-errors', /^Move a payment/, (it) => press(it, 'Move it')),
  planPage('account', /^Change how you pay/),
  planPage('autopay', /^Autopay/),
  textsPage('number', async () => {}),
  textsPage('number-errors', (it) => press(it, 'Text me a code')),
  textsPage('code', requestCode),
  textsPage('on', async (it) => {
    await requestCode(it);
    await it.frame.getByLabel('Code').fill('123456');
    await press(it, 'Turn on reminders');
    await it.frame.getByText('Reply STOP to any text').waitFor();
    await press(it, /^Reminders by text/);
    await waitForTitle(it, 'Reminders by text are on');
  }),
  planPage('notices', /^How you get notices/, (it) => waitForTitle(it, 'Get notices on paper?')),
  planPage('notices-on-paper', /^How you get notices/, async (it) => {
    await press(it, 'Switch to paper');
    await press(it, /^How you get notices/);
    await waitForTitle(it, 'Get notices by email?');
  }),
  planPage('agreement', /^Your agreement/),
  planPage('receipt', /^Receipt for .*410/),
  planPage('account-bank-picker', /^Change how you pay/, async ({ frame }) => {
    await frame.getByRole('radio', { name: /^Bank account Checking/ }).check();
    await frame.getByRole('button', { name: 'Tin Roof Savings' }).waitFor();
  }),
  planPage('cant-pay', /^Can’t make this payment/),
  planPage('pay-part', /^Can’t make this payment/, async (it) => {
    await press(it, /^Pay part of it now/);
    await it.frame.getByLabel('Amount to pay now').fill('100');
  }),
  {
    name: 'manage-autopay-on',
    open: { state: withPlan(halfway, {}, { autopay: false }) },
    play: (it) => press(it, /^Autopay Off/),
  },
  planPage('autopay-changed', /^Autopay On/, async (it) => {
    await press(it, 'Turn autopay off');
    await it.frame.getByText('Autopay is off', { exact: true }).waitFor();
  }),
  planPage('after-move', /^Move a payment/, async (it) => {
    await it.frame.locator('input[name=due_date]').nth(3).check();
    await it.frame.getByLabel('Another reason').check();
    await press(it, /^Move it to/);
    await it.frame.getByText('You moved a payment').waitFor();
  }),
  {
    name: 'manage-pay-declined',
    open: {
      state: withPlan(
        late,
        { today: '2026-02-12', payment_method: visa('9995') },
        { payment_method: visa('9995') },
      ),
    },
    play: async (it) => {
      await press(it, /^Pay \$380/);
      await waitForTitle(it, 'What do you want to pay now?');
      await press(it, /^Pay \$380/);
      await it.frame.getByText(/^Your payment was declined/).waitFor();
    },
  },
  ...stateScenes,
  ...(['confirm', 'portal'] as const).map((continue_in) => ({
    name: continue_in === 'portal' ? 'continue-in-portal' : 'confirm-identity',
    open: {
      state: withPlan(halfway, { mail_access: { continue_in, tries_left: 5 } }),
    },
    play: (it: Opened) => press(it, /^Pay early/),
  })),
  {
    name: 'manage-past',
    open: { state: stateOf({ past_plans: pastPlans }) },
    play: async (it) => {
      await press(it, /^January 2026 (rent|dues)/);
      await waitForTitle(it, 'Your plan is paid off');
    },
  },
  {
    name: 'manage-cancel',
    open: { state: withPlan(waiting) },
    play: (it) => press(it, /^Cancel this plan/),
  },
  {
    name: 'manage-paid',
    open: { state: withPlan(late, { today: '2026-02-12' }) },
    play: async (it) => {
      await press(it, /^Pay \$380/);
      await waitForTitle(it, 'What do you want to pay now?');
      await press(it, /^Pay \$380/);
      await it.frame.getByText('Thank you').waitFor();
    },
  },
];

/** A page of the reminders by text message. */
function textsPage(name: string, play: Scene['play']): Scene {
  return {
    name: `manage-texts-${name}`,
    open: { state: withPlan(halfway, { texts: true }) },
    async play(it) {
      await press(it, /^Reminders by text/);
      await waitForTitle(it, 'Get reminders by text');
      await play(it);
    },
  };
}

async function requestCode(it: Opened): Promise<void> {
  await it.frame.getByRole('checkbox').check();
  await press(it, 'Text me a code');
  await waitForTitle(it, 'Enter your code');
}
