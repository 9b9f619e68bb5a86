import type { ExperienceState, PlanManagement } from '@svc/contract';
import { press, waitForTitle } from './fixture/actions.ts';
import { amountsOf, event, managementOf } from './fixture/management.ts';
import { visa } from './fixture/methods.ts';
import { pastPlans } from './fixture/past-plan.ts';
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

/** A page of a plan that is half paid. */
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
  planPage('agreement', /^Your agreement/),
  planPage('receipt', /^Receipt of payment 1/),
  {
    name: 'manage-past',
    open: { state: stateOf({ past_plans: pastPlans }) },
    play: async (it) => {
      await press(it, /for January 1, 2026/);
      await waitForTitle(it, 'All paid. Thank you');
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
