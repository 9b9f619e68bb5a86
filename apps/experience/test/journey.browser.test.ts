import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acceptAll,
  agree,
  chooseLanguage,
  fillApplication,
  pickBank,
  press,
  waitForTitle,
} from './fixture/actions.ts';
import { bankAccount } from './fixture/methods.ts';
import { readDownload } from './fixture/read-download.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { approved, duesStateOf, planOf, shareStateOf, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test('a tenant goes from the offer to a plan, and the partner’s page receives each step', async () => {
  const it = await stage.open({ state: stateOf() });
  await waitForTitle(it, 'Split your $1,520.12 rent into smaller payments?');
  await press(it, 'Start my application');
  await fillApplication(it);
  await press(it, 'Send my application');
  await waitForTitle(it, 'You’re approved to split $1,520.12');
  await it.frame.getByText('Step 2 of 4').waitFor();
  await it.frame.getByLabel(/^3 payments/).check();
  expect(await it.frame.getByRole('list', { name: 'Your payments' }).innerText()).toContain(
    'Mon,\u00a0Feb\u00a023',
  );
  await press(it, 'Continue with 3 payments');
  await it.frame.getByText('Step 3 of 4').waitFor();
  await pickBank(it);
  await waitForTitle(it, 'Review and agree');
  await it.frame.getByText('Step 4 of 4').waitFor();
  await it.frame.getByText('Bank account ending in 0000', { exact: true }).waitFor();
  await agree(it);
  await waitForTitle(it, 'Your rent is split');
  await press(it, 'Done');
  await it.waitFor('close');

  expect(await it.events()).toEqual([
    { type: 'APPLICATION_SUBMITTED', data: { application_id: 'app_1' } },
    { type: 'USER_APPROVED', data: {} },
    {
      type: 'SPLIT_RENT',
      data: {
        settlement_id: 'stl_1',
        amount_in_cents: 152012,
        charges_paid: ['C-1'],
        charges_and_amounts_paid: [{ charge_id: 'C-1', amount_in_cents: 152012 }],
        plan_id: it.tenant.state.plan?.id,
      },
    },
  ]);
  const received = await it.received();
  expect(received.flatMap((message) => (message.type === 'step' ? [message.step] : []))).toEqual([
    'offer',
    'application',
    'plan_choice',
    'payment_method',
    'consent',
    'done',
  ]);
  expect(received.at(-1)).toEqual({
    svc: 1,
    type: 'close',
    reason: 'completed',
    last_step: 'done',
  });
  await it.close();
});

test('a declined tenant sees the notice, and the partner learns only that they were declined', async () => {
  const it = await stage.open({ state: stateOf(), outcome: 'declined' });
  await press(it, 'Start my application');
  await fillApplication(it);
  await press(it, 'Send my application');
  await waitForTitle(it, 'We can’t split your rent this time');
  const page = await it.frame.locator('.content').innerText();
  expect(page).toContain('Income is too low for the amount');
  expect(await it.frame.locator('.content h2').allInnerTexts()).toEqual([
    'Main reasons',
    'What you can do',
    'Your rights',
  ]);
  // The notice of action taken, 12 CFR 1002.9, on the screen that is printed. The server's tests read the file.
  const notice = ['Application for a payment plan declined', 'Ada Lane', '$1,520.12'];
  const creditor = 'Svc Payments, 1 Main St, Austin, TX 78701';
  const saved = await readDownload(it, 'Save the notice');
  expect(saved.name).toBe('notice.pdf');
  expect(saved.text).toMatch(/^File of notice\/app_\w+ in en$/);
  for (const part of [...notice, creditor, 'Action taken', 'Applicant', 'Amount requested']) {
    expect(page).toContain(part);
  }
  await chooseLanguage(it, 'Español');
  const spanish = await readDownload(it, 'Guardar el aviso');
  expect([spanish.name, spanish.text.slice(-2)]).toEqual(['aviso.pdf', 'es']);
  await chooseLanguage(it, 'English');
  // The reason may be an earlier plan that was not paid.
  expect(page).not.toMatch(/owe/);
  expect(page).toContain('You can apply again starting Saturday, May 2.');
  await press(it, 'Back to your resident portal');
  await it.waitFor('close');
  await expect.poll(it.types).toContain('USER_DECLINED');
  expect((await it.events()).at(-1)).toEqual({ type: 'USER_DECLINED', data: {} });
  expect(JSON.stringify(await it.received())).not.toContain('Income');
  expect((await it.received()).at(-1)).toMatchObject({
    reason: 'dismissed',
    last_step: 'declined',
  });
  await it.close();
});

test('an owner in an association reads about dues, never about rent', async () => {
  const it = await stage.open({ state: duesStateOf() });
  const words = [await it.frame.locator('body').innerText()];
  await press(it, 'Start my application');
  words.push(await it.frame.locator('body').innerText());
  await fillApplication(it);
  await press(it, 'Send my application');
  await press(it, /^Continue with/);
  await pickBank(it);
  await agree(it);
  await waitForTitle(it, 'Your dues are split');
  words.push(await it.frame.locator('body').innerText());
  expect(words.join('\n')).toMatch(/Cedar Hill Association/);
  expect(words.join('\n')).not.toMatch(/\brent\b|landlord|resident/i);
  await it.close();
});

test('a roommate reads about their share of the rent, in both languages', async () => {
  const it = await stage.open({ state: shareStateOf(approved) });
  await acceptAll(it);
  await waitForTitle(it, 'Your share of the rent is split');
  await it.frame.getByText('your $1,520.12 share of the rent plus a $30.00 fee').waitFor();
  await chooseLanguage(it, 'Español');
  await waitForTitle(it, 'Tu parte de la renta está dividida');
  await it.frame.getByText('tu parte de la renta de $1,520.12').waitFor();
  await it.close();
});

test('after a failed first payment no money has moved, and another account makes the plan', async () => {
  const failing = bankAccount('0001');
  const it = await stage.open({ state: stateOf({ ...approved, payment_method: failing }) });
  await acceptAll(it);
  const alert = it.frame.getByRole('alert');
  await alert.getByText('No money moved, and your plan didn’t start').waitFor();
  expect(await alert.innerText()).toContain('There wasn’t enough money in the account.');
  expect(await it.events()).toEqual([]);
  await pickBank(it);
  await waitForTitle(it, 'Review and agree');
  await agree(it);
  await waitForTitle(it, 'Your rent is split');
  const keys = stage.service.calls.flatMap(({ call, key }) => (call === 'POST /plan' ? [key] : []));
  expect(new Set(keys.slice(-2)).size).toBe(2);
  expect(it.tenant.plansMade).toBe(1);
  await it.close();
});

test('a plan’s home page shows paid and upcoming payments, and saves the dates', async () => {
  const state = stateOf({ ...approved, step: 'manage', plan: planOf(4) });
  const it = await stage.open({ state });
  await waitForTitle(it, /^Your next payment is/);
  await it.frame.getByText('1 of 4 payments made').waitFor();
  const { name, text } = await readDownload(it, 'Add to my calendar');
  expect([name, text]).toEqual([
    'payments.ics',
    expect.stringMatching(/^File of calendar\/pln_\w+ in en$/),
  ]);
  await it.close();
});

test('the page of an application in review shows the decision when it is made', async () => {
  const inReview = { id: 'app_1', state: 'in_review', approved_amount_in_cents: null };
  const it = await stage.open({ state: stateOf({ step: 'decision', application: inReview }) });
  await waitForTitle(it, 'We’re reviewing your application');
  await press(it, 'Check again');
  await it.frame.getByRole('alert').getByText('We’re still reviewing your application').waitFor();

  it.tenant.state = stateOf(approved);
  await it.frame.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await waitForTitle(it, 'You’re approved to split $1,520.12');
  await it.frame.locator('h1:focus').waitFor();
  expect(await it.frame.locator('.alert').innerText()).toBe('');
  await expect.poll(it.types).toEqual(['USER_APPROVED']);
  await it.close();
});
