import type { ExperienceState } from '@svc/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  acceptAll,
  fillApplication,
  press,
  toConsent,
  typeAccount,
  waitForTitle,
} from './fixture/actions.ts';
import { openExperience } from './fixture/open.ts';
import { pastPlans } from './fixture/past-plan.ts';
import { answerDropped, dropped } from './fixture/service.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, planOf, quotesOf, stateOf } from './fixture/states.ts';
import { halfway, waiting, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterEach(() => stage.service.faults.clear());
afterAll(() => stage.close());

const planKeys = (from: number) =>
  stage.service.calls.slice(from).flatMap(({ call, key }) => (call === 'POST /plan' ? [key] : []));

test('after a lost response, trying again shows the plan and charges once', async () => {
  const from = stage.service.calls.length;
  const it = await stage.open({ state: stateOf(approved) });
  stage.service.faults.set('POST /plan', [...answerDropped]);
  await acceptAll(it);
  const alert = it.frame.getByRole('alert');
  await alert.getByText('you can’t be charged twice').waitFor();
  expect(await alert.innerText()).not.toContain('No money moved');
  const { y } = (await alert.boundingBox()) ?? { y: -1 };
  expect(y).toBeGreaterThan(64);
  stage.service.faults.clear();
  await press(it, /^Agree and pay/);
  await waitForTitle(it, 'Your rent is split');
  expect(it.tenant.plansMade).toBe(1);
  expect(new Set(planKeys(from)).size).toBe(1);
  await expect.poll(it.types).toEqual(['ERROR', 'SPLIT_RENT']);
  await it.close();
});

test('a double click makes one plan', async () => {
  const from = stage.service.calls.length;
  const it = await stage.open({ state: stateOf(approved) });
  await toConsent(it);
  await it.frame.getByLabel(/^I have read/).check();
  await it.frame.getByRole('button', { name: /^Agree and pay/ }).dblclick();
  await waitForTitle(it, 'Your rent is split');
  expect(planKeys(from)).toHaveLength(1);
  await it.close();
});

test('waits for a request that is still running', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  const from = stage.service.calls.length;
  stage.service.faults.set('POST /plan', ['idempotency_key_in_progress']);
  await acceptAll(it);
  await waitForTitle(it, 'Your rent is split');
  const keys = planKeys(from);
  expect(keys).toEqual([keys[0], keys[0]]);
  await it.close();
});

test('a plan made in another window is shown instead of an error', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  await toConsent(it);
  it.tenant.state = stateOf({ ...approved, step: 'manage', plan: planOf(4) });
  await it.frame.getByLabel(/^I have read/).check();
  await press(it, /^Agree and pay/);
  await waitForTitle(it, 'Your rent is split');
  expect(await it.events()).toEqual([]);
  await it.close();
});

test('outdated quotes are replaced before the tenant can agree', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  await toConsent(it);
  it.tenant.quotes = quotesOf().map((quote) => ({ ...quote, id: `${quote.id}_new` }));
  await it.frame.getByLabel(/^I have read/).check();
  await press(it, /^Agree and pay/);
  await it.frame.getByRole('alert').getByText('Your offer has changed').waitFor();
  expect(it.tenant.plansMade).toBe(0);
  await acceptAll(it);
  await waitForTitle(it, 'Your rent is split');
  await it.close();
});

test('after a lost connection the input is still there, and a notice says that no money moved', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  stage.service.faults.set('POST /application', [...dropped]);
  await press(it, 'Send my application');
  await it.frame.getByRole('alert').getByText('No money moved').waitFor();
  stage.service.faults.clear();
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  await expect.poll(it.types).toEqual(['ERROR', 'APPLICATION_SUBMITTED', 'USER_APPROVED']);
  await it.close();
});

interface OfflineStep {
  readonly state: ExperienceState;
  /** The call that never reaches the service. */
  readonly call: string;
  /** Goes from the first screen to the one with the button. */
  readonly play: (it: Opened) => Promise<void>;
  readonly button: string | RegExp;
  readonly says: string;
  /** A text on screen after the button was pressed again with a connection. */
  readonly afterwards: string | RegExp;
}

const moved = 'No money moved. Check your connection and try again.';
const unsaved = 'We can’t see yet if your change was saved. Press the button again.';

/** Each of the tenant's steps that calls the service, except those that have a separate test. */
const offlineSteps: Record<string, OfflineStep> = {
  'picking a bank': {
    state: stateOf({ step: 'payment_method' }),
    call: 'POST /payment_setup',
    play: async () => {},
    button: 'Platypus National Bank',
    says: moved,
    afterwards: /^You’re approved/,
  },
  'adding an account': {
    state: stateOf({ step: 'payment_method' }),
    call: 'POST /payment_method',
    play: typeAccount,
    button: 'Use this account',
    says: moved,
    afterwards: /^You’re approved/,
  },
  'agreeing to a plan': {
    state: stateOf(approved),
    call: 'POST /plan',
    play: async (it) => {
      await toConsent(it);
      await it.frame.getByLabel(/^I have read/).check();
    },
    button: /^Agree and pay/,
    says: 'We can’t see yet if your first payment went through.',
    afterwards: 'Your rent is split',
  },
  'moving a payment': {
    state: withPlan(halfway),
    call: `POST /plan/${halfway.id}/reschedule`,
    play: async (it) => {
      await press(it, /^Move a payment/);
      await it.frame.getByRole('radio', { name: 'Fri, Feb 27' }).check();
    },
    button: /^Move it to/,
    says: unsaved,
    afterwards: 'You moved a payment',
  },
  'turning autopay off': {
    state: withPlan(halfway),
    call: `POST /plan/${halfway.id}/autopay`,
    play: (it) => press(it, /^Autopay On/),
    button: 'Turn autopay off',
    says: unsaved,
    afterwards: 'Autopay is off',
  },
  'canceling a plan': {
    state: withPlan(waiting),
    call: `POST /plan/${waiting.id}/cancel`,
    play: (it) => press(it, /^Cancel this plan/),
    button: 'Cancel the plan',
    says: unsaved,
    afterwards: 'Your plan is canceled',
  },
  'opening an earlier plan': {
    state: stateOf({ past_plans: pastPlans }),
    call: `GET /plan/${pastPlans[0]?.id}`,
    play: async () => {},
    button: /^January 2026 rent/,
    says: moved,
    afterwards: 'Your plan is paid off',
  },
};

test.for(Object.keys(offlineSteps))(
  '%s without a connection says what is known, and works when pressed again',
  async (name) => {
    const { state, call, play, button, says, afterwards } = offlineSteps[name] as OfflineStep;
    const it = await stage.open({ state });
    await play(it);
    stage.service.faults.set(call, [...dropped]);
    await press(it, button);
    await it.frame.getByRole('alert').getByText(says).waitFor();
    stage.service.faults.clear();
    await press(it, button);
    await it.frame.getByText(afterwards).first().waitFor();
    await it.close();
  },
);

test('the rate limit notice says how long to wait', async () => {
  const it = await stage.open({ state: stateOf({ step: 'payment_method' }) });
  stage.service.faults.set('POST /payment_method', ['rate_limited']);
  await typeAccount(it);
  await press(it, 'Use this account');
  const alert = it.frame.getByRole('alert');
  await alert.getByText('Wait 7 seconds').waitFor();
  expect(await alert.innerText()).toContain('No money moved');
  await it.close();
});

test('while money is stopped, the notice is calm and says that nothing changed', async () => {
  const it = await stage.open({ state: stateOf({ step: 'payment_method' }) });
  stage.service.faults.set('POST /payment_method', ['payments_paused']);
  await typeAccount(it);
  await press(it, 'Use this account');
  const alert = it.frame.getByRole('alert');
  await alert.getByText('Payments are paused right now').waitFor();
  expect(await alert.innerText()).toContain('No money moved, and nothing has changed for you.');
  expect(await it.types()).toEqual([]);
  await it.close();
});

test('invalid fields show errors, the first one gets the focus, and nothing is sent', async () => {
  const from = stage.service.calls.length;
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await it.frame.getByLabel('Date of birth').fill('02/30/1990');
  await press(it, 'Send my application');
  await it.frame.getByText('Enter a date, such as').waitFor();
  await it.frame.getByText('Enter an amount').waitFor();
  await it.frame.getByText('Check the box').waitFor();
  expect(await it.frame.locator(':focus').getAttribute('name')).toBe('date_of_birth');
  const income = it.frame.getByLabel('What’s your monthly income?');
  expect(await income.getAttribute('aria-invalid')).toBe('true');
  expect(await income.getAttribute('aria-describedby')).toBe(
    'monthly_income_in_cents-hint monthly_income_in_cents-error',
  );
  const sent = stage.service.calls.slice(from).map(({ call }) => call);
  expect(sent.filter((call) => call.startsWith('POST '))).toEqual(['POST /session']);
  await it.close();
});

test('an error from the server is shown at its field', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  await it.frame.getByLabel('What’s your monthly income?').fill('9,999,999');
  await press(it, 'Send my application');
  const income = it.frame.getByLabel('What’s your monthly income?');
  await it.frame.locator('#monthly_income_in_cents-error:not(:empty)').waitFor();
  expect(await income.getAttribute('aria-invalid')).toBe('true');
  await it.close();
});

test('if a part of the app fails to load, trying again reloads the page', async () => {
  stage.service.missing = 'later-screens';
  const it = await stage.open({ state: stateOf() });
  await waitForTitle(it, /^Split your/);
  await press(it, 'Start my application');
  await waitForTitle(it, 'We can’t reach the service');
  stage.service.missing = null;
  await press(it, 'Try again');
  await it.page.waitForFunction(
    () => (window as unknown as { partner: { hellos: unknown[] } }).partner.hellos.length === 2,
  );
  await it.close();
});

test('if Spanish fails to load, the page stays in English', async () => {
  stage.service.missing = 'assets/es-';
  const it = await stage.open({ state: stateOf(), locale: 'es-MX' });
  await waitForTitle(it, /^Split your/);
  stage.service.missing = null;
  await it.close();
});

test('if a screen fails to render, an error is shown and trying again reloads the page', async () => {
  const page = await stage.newPage();
  await page.goto(stage.partnerOrigin);
  await page.route('**/v1/experience/session', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { error: null, data: { ...data, charges: null } } });
  });
  const it = await openExperience(page, stage.service, { state: stateOf() });
  await waitForTitle(it, 'This page stopped working');
  await press(it, 'Try again');
  await it.page.waitForFunction(
    () => (window as unknown as { partner: { hellos: unknown[] } }).partner.hellos.length === 2,
  );
  await it.close();
});
