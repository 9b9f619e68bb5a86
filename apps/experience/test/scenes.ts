import { type ExperienceState, eligibilityReasons } from '@svc/contract';
import type { Frame } from 'playwright-core';
import {
  acceptAll,
  fillApplication,
  fillCard,
  matchPaydays,
  openApplication,
  press,
  toConsent,
  typeAccount,
  waitForTitle,
} from './fixture/actions.ts';
import { bankAccount, visa } from './fixture/methods.ts';
import { answerDropped, dropped } from './fixture/service.ts';
import type { OpenOptions } from './fixture/stage.ts';
import {
  approved,
  approvedFirst,
  charge,
  coveredBorrower,
  declined,
  declinedByReports,
  duesStateOf,
  planOf,
  returning,
  shareStateOf,
  stateOf,
} from './fixture/states.ts';
import { manageScenes } from './manage-scenes.ts';
import { outsideScenes } from './outside-scenes.ts';
import type { Scene } from './scene.ts';

type Reason = NonNullable<ExperienceState['eligibility']['reason']>;

const noAction = async () => {};
/** Waits until the skeleton has faded in, 150 ms after it was rendered. */
async function skeletonShown(frame: Frame): Promise<void> {
  await frame.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (it) =>
          it.playState !== 'running' ||
          it.effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
}

const choice = stateOf(approved);

function cycleOf(reason: Reason): ExperienceState['cycle'] {
  const { cycle } = stateOf();
  if (cycle === null || reason === 'nothing_due') return null;
  const amounts: Partial<Record<Reason, number>> = {
    amount_above_cap: 712000,
    amount_below_minimum: 3200,
  };
  return { ...cycle, amount_due_in_cents: amounts[reason] ?? cycle.amount_due_in_cents };
}

const blockingCharges: Partial<Record<Reason, ExperienceState['blocking_charges']>> = {
  past_due_balance: [
    { ...charge('C-0', 'rent', 'January rent', 50000), due_date: '2026-01-01' },
    { ...charge('C-9', 'utility', 'Water', 4200), due_date: '2026-01-15' },
  ],
  security_deposit_open: [charge('C-9', 'security_deposit', 'Security deposit', 80000)],
  late_fee_open: [{ ...charge('C-9', 'late_fee', 'Late fee', 7500), due_date: '2026-01-09' }],
};

export const scenes: Scene[] = [
  {
    name: 'loading',
    open: { state: stateOf(), token: null },
    play: async ({ frame }) => {
      await frame.locator('.skeleton-button').waitFor();
      await skeletonShown(frame);
    },
  },
  { name: 'offer', open: { state: stateOf() }, play: noAction },
  { name: 'offer-share', open: { state: shareStateOf() }, play: noAction },
  { name: 'offer-dues', open: { state: duesStateOf() }, play: noAction },
  {
    name: 'offer-production',
    open: {
      state: stateOf({
        environment: 'production',
        simulated: false,
        charges: [
          charge('C-1', 'rent', 'February rent', 160012),
          charge('C-2', 'utility', 'Water', 4200),
          charge('C-3', 'credit', 'Referral credit', -12200),
        ],
      }),
    },
    play: noAction,
  },
  {
    name: 'application',
    open: { state: stateOf() },
    play: openApplication,
  },
  {
    name: 'application-ssn',
    open: { state: stateOf({ asks_ssn_digits: 9 }) },
    play: async (it) => {
      await openApplication(it);
      await press(it, 'Send my application');
    },
  },
  {
    name: 'application-errors',
    open: { state: stateOf() },
    play: async (it) => {
      await openApplication(it);
      await press(it, 'Send my application');
    },
  },
  {
    name: 'application-offline',
    open: { state: stateOf() },
    faults: { 'POST /application': dropped },
    play: async (it) => {
      await openApplication(it);
      await fillApplication(it);
      await press(it, 'Send my application');
      await it.frame.getByText('We couldn’t reach the service').waitFor();
    },
  },
  {
    name: 'application-again',
    open: { state: stateOf(returning) },
    play: openApplication,
  },
  {
    name: 'account',
    open: { state: stateOf({ step: 'payment_method' }) },
    play: async ({ frame }) => {
      await frame.getByRole('button', { name: 'Tin Roof Savings' }).waitFor();
    },
  },
  {
    name: 'account-bank-open',
    open: { state: stateOf({ step: 'payment_method' }) },
    play: async (it) => {
      await press(it, 'Tin Roof Savings');
      await it.frame.getByRole('link', { name: 'Open Tin Roof Savings' }).waitFor();
    },
  },
  {
    name: 'account-page',
    open: { state: stateOf({ step: 'payment_method', account_entry: 'page' }) },
    play: async (it) => {
      await press(it, 'Continue');
      await it.frame.getByRole('link', { name: 'Open the secure page' }).waitFor();
    },
  },
  {
    name: 'account-typed',
    open: { state: stateOf({ step: 'payment_method' }) },
    play: (it) => typeAccount(it),
  },
  {
    name: 'account-typed-errors',
    open: {
      state: stateOf({ step: 'payment_method', environment: 'production', simulated: false }),
    },
    play: async (it) => {
      await it.frame.getByLabel('Routing number').fill('110000008');
      await press(it, 'Use this account');
    },
  },
  {
    name: 'account-card',
    open: { state: stateOf({ step: 'payment_method' }) },
    play: (it) => fillCard(it, '4242424242424242'),
  },
  {
    name: 'account-card-errors',
    open: { state: stateOf({ step: 'payment_method', environment: 'production' }) },
    play: async (it) => {
      await fillCard(it, '4012888888881881', '01/26');
      await press(it, 'Use this card');
      await it.frame.getByText('This is a credit card.').waitFor();
    },
  },
  {
    name: 'account-card-declined',
    open: { state: stateOf({ ...approved, payment_method: visa('9995') }) },
    play: async (it) => {
      await acceptAll(it);
      await it.frame.getByText('No money moved, and your plan didn’t start').waitFor();
    },
  },
  {
    name: 'account-limited',
    open: { state: stateOf({ step: 'payment_method' }) },
    faults: { 'POST /payment_method': ['rate_limited'] },
    play: async (it) => {
      await typeAccount(it);
      await press(it, 'Use this account');
      await it.frame.getByText('Too many attempts').waitFor();
    },
  },
  {
    name: 'account-paused',
    open: { state: stateOf({ step: 'payment_method' }) },
    faults: { 'POST /payment_method': ['payments_paused'] },
    play: async (it) => {
      await typeAccount(it);
      await press(it, 'Use this account');
      await it.frame.getByText('Payments are paused right now').waitFor();
    },
  },
  {
    name: 'account-after-failure',
    open: {
      state: stateOf({ ...approved, payment_method: bankAccount('0001') }),
    },
    play: async (it) => {
      await acceptAll(it);
      await it.frame.getByText('No money moved, and your plan didn’t start').waitFor();
      await it.frame.getByRole('button', { name: 'Tin Roof Savings' }).waitFor();
    },
  },
  {
    name: 'choice-new',
    open: { state: stateOf(approvedFirst) },
    play: async ({ frame }) => {
      await frame.getByText('by Monday, February 2').waitFor();
    },
  },
  {
    name: 'decision-in-review',
    open: {
      state: stateOf({
        step: 'decision',
        application: { id: 'app_1', state: 'in_review', approved_amount_in_cents: null },
      }),
    },
    play: noAction,
  },
  {
    name: 'choice',
    open: { state: choice },
    play: async ({ frame }) => {
      await frame.getByLabel(/^2 payments \$790/).check();
    },
  },
  {
    name: 'choice-four',
    open: { state: choice },
    play: async ({ frame }) => {
      await frame.getByText('by Monday, February 2').waitFor();
    },
  },
  {
    name: 'choice-paydays',
    open: { state: choice },
    play: async (it) => {
      await matchPaydays(it, { often: 'semimonthly', days: ['13', '31'] });
      await it.frame.getByText('Fri, Feb 27').first().waitFor();
    },
  },
  {
    name: 'choice-no-payday',
    open: { state: choice },
    play: async (it) => {
      await matchPaydays(it, { often: 'monthly', days: ['1'] });
      await it.frame.getByText('You have no payday in time').first().waitFor();
    },
  },
  {
    name: 'choice-loading',
    open: { state: choice },
    faults: { 'GET /quotes': ['hang'] },
    play: async ({ frame }) => {
      await frame.locator('.skeleton-schedule').waitFor();
      await skeletonShown(frame);
    },
  },
  {
    name: 'choice-failed',
    open: { state: choice },
    faults: { 'GET /quotes': ['unavailable'] },
    play: async ({ frame }) => {
      await frame.getByText('Something went wrong on our end').waitFor();
    },
  },
  {
    name: 'choice-changed',
    open: { state: choice },
    faults: { 'POST /plan': ['quote_not_found'] },
    play: async (it) => {
      await acceptAll(it);
      await it.frame.getByText('Your offer has changed').waitFor();
      await it.frame.getByRole('button', { name: /^Continue with/ }).waitFor();
    },
  },
  { name: 'consent', open: { state: choice }, play: toConsent },
  { name: 'consent-military', open: { state: stateOf(coveredBorrower) }, play: toConsent },
  {
    name: 'consent-errors',
    open: { state: choice },
    play: async (it) => {
      await toConsent(it);
      await press(it, /^Agree and pay/);
      await it.frame.getByText('Check the box to agree.').waitFor();
    },
  },
  {
    name: 'consent-unknown',
    open: { state: choice },
    faults: { 'POST /plan': answerDropped },
    play: async (it) => {
      await acceptAll(it);
      await it.frame.getByText('you can’t be charged twice').waitFor();
    },
  },
  {
    name: 'done',
    open: { state: choice },
    play: async (it) => {
      await acceptAll(it);
      await waitForTitle(it, /^Your (rent is|dues are) split$/);
    },
  },
  { name: 'declined', open: { state: stateOf(declined) }, play: noAction },
  { name: 'declined-reports', open: { state: stateOf(declinedByReports) }, play: noAction },
  ...manageScenes,
  ...eligibilityReasons.map((reason) => ({
    name: `blocked-${reason}`,
    open: {
      state: stateOf({
        step: 'blocked',
        eligibility: {
          state: 'blocked',
          reason,
          until: reason === 'declined_until' ? '2026-05-02' : null,
        },
        blocking_charges: blockingCharges[reason] ?? [],
        plan: reason === 'open_plan' ? planOf(4) : null,
        cycle: cycleOf(reason),
      }),
    } satisfies OpenOptions,
    play: noAction,
  })),
  {
    name: 'blocked-cycle_opens',
    open: {
      state: stateOf({
        step: 'blocked',
        today: '2026-01-20',
        simulated: false,
        eligibility: { state: 'cycle_closed', reason: null, until: null },
      }),
    },
    play: noAction,
  },
  {
    name: 'blocked-cycle_closed',
    open: {
      state: stateOf({
        step: 'blocked',
        today: '2026-02-14',
        simulated: false,
        eligibility: { state: 'cycle_closed', reason: null, until: null },
      }),
    },
    play: noAction,
  },
  { name: 'trouble-session-ended', open: { state: stateOf(), token: 'old' }, play: noAction },
  { name: 'trouble-refused', open: { state: stateOf(), signature: 'wrong' }, play: noAction },
  ...outsideScenes,
  {
    name: 'trouble-broken',
    // A state that no service sends: the screen fails to render.
    open: { state: stateOf() },
    faults: { 'POST /session': ['malformed'] },
    play: (it) => waitForTitle(it, 'This page stopped working'),
  },
  {
    name: 'trouble-unreachable',
    open: { state: stateOf() },
    faults: { 'POST /session': ['unavailable'] },
    play: (it) => waitForTitle(it, 'We can’t reach the service'),
  },
];
