import type { ExperienceState } from '@svc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  chooseLanguage,
  fillApplication,
  openApplication,
  pickBank,
  press,
  typeAccount,
  waitForTitle,
} from './fixture/actions.ts';
import { recordsWith } from './fixture/electronic-records.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approvedFirst, charge, returning, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test('an applicant under 18 gets an error at the field, and nothing is sent', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  const sent = () => stage.service.calls.filter(({ call }) => call === 'POST /application').length;
  const before = sent();
  // The tenant's today is February 1, 2026.
  for (const day of ['06/15/2012', '02/02/2008']) {
    await it.frame.getByLabel('Date of birth').fill(day);
    await press(it, 'Send my application');
    await it.frame.getByText('You must be 18 or older to apply.').waitFor();
  }
  expect(sent()).toBe(before);
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('Debes tener al menos 18 años para hacer una solicitud.').waitFor();
  await chooseLanguage(it, 'English');
  await it.frame.getByLabel('Date of birth').fill('02/01/2008');
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  await it.close();
});

test('the application links to the lender’s privacy notice in the tenant’s language', async () => {
  const { terms } = stateOf();
  const privacy_url = 'https://bank.example/privacy?lang={locale}';
  const it = await stage.open({ state: stateOf({ terms: { ...terms, privacy_url } }) });
  await press(it, 'Start my application');
  const english = it.frame.getByRole('link', { name: /privacy notice.*opens in a new tab/ });
  expect(await english.getAttribute('href')).toBe('https://bank.example/privacy?lang=en');
  expect(await english.getAttribute('target')).toBe('_blank');
  expect(await english.getAttribute('rel')).toContain('noopener');
  await chooseLanguage(it, 'Español');
  const spanish = it.frame.getByRole('link', { name: /Aviso de privacidad/ });
  expect(await spanish.getAttribute('href')).toBe('https://bank.example/privacy?lang=es');
  await it.close();

  const without = await stage.open({ state: stateOf() });
  await press(without, 'Start my application');
  await without.frame.getByLabel('Date of birth').waitFor();
  expect(await without.frame.getByRole('link', { name: /privacy notice/ }).count()).toBe(0);
  await without.close();
});

test('consent to electronic records is optional, unchecked, and sent in the language on screen', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  const agreed = it.frame.getByLabel(/^I agree to get notices from Svc Payments by email/);
  expect(await agreed.isChecked()).toBe(false);
  await it.frame.getByText('we send the notices that the law requires on paper').waitFor();
  await it.frame.getByText('About notices by email').click();
  await it.frame.getByText('I can get a free paper copy of any notice.').waitFor();
  await agreed.check();
  await chooseLanguage(it, 'Español');
  const acepto = it.frame.getByLabel(/^Acepto recibir los avisos de Svc Payments/);
  expect(await acepto.isChecked()).toBe(true);
  await press(it, 'Enviar mi solicitud');
  await waitForTitle(it, /está aprobada$/);
  const sent = stage.service.calls.filter(({ call }) => call.startsWith('POST ')).slice(-2);
  expect(sent.map(({ call }) => call)).toEqual(['POST /electronic_records', 'POST /application']);
  expect(sent[0]?.body).toEqual({ accepted_sha256: 'sha256-of-es' });
  await it.close();
});

test('a service that does not know the answer about notices still gets the application', async () => {
  const it = await stage.open({ state: stateOf() });
  stage.service.faults.set('POST /electronic_records', ['not_found']);
  await openApplication(it);
  await fillApplication(it);
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  expect(stage.service.faults.get('POST /electronic_records')).toEqual([]);
  await it.close();
});

const consent = { name: /^I agree to get notices/ };
const wordRequests = () =>
  stage.service.calls.filter(({ call }) => call === 'GET /electronic_records');
/** Waits until the page has got an answer to its first request for the words about notices. */
const waitForWords = ({ frame }: Opened) =>
  frame.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some(({ name }) => name.endsWith('/experience/electronic_records')),
  );

test('the words about notices load after the first screen, and the form reads them no second time', async () => {
  const before = wordRequests().length;
  const it = await stage.open({ state: stateOf() });
  await waitForTitle(it, /^Split your/);
  await expect.poll(() => wordRequests().length).toBe(before + 1);
  await waitForWords(it);
  await press(it, 'Start my application');
  await waitForTitle(it, 'Two quick questions');
  await it.frame.getByRole('checkbox', consent).waitFor();
  expect(wordRequests().length).toBe(before + 1);
  await it.close();

  const asksNothing = await stage.open({ state: stateOf({ asks_electronic_records: false }) });
  await press(asksNothing, 'Start my application');
  await asksNothing.frame.getByText('All fields are required.').waitFor();
  expect(await asksNothing.frame.getByRole('checkbox', consent).count()).toBe(0);
  expect(wordRequests().length).toBe(before + 1);
  await asksNothing.close();
});

test.for(['en-US', 'es-US'])(
  'while the words about notices are on their way, the form can be filled in, and nothing moves (%s)',
  async (locale) => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    stage.service.delays.set('GET /electronic_records', gate);
    const it = await stage.open({
      state: stateOf(),
      locale,
      browser: { viewport: { width: 360, height: 740 } },
    });
    const heights = () =>
      it.frame
        .locator('.content > *')
        .evaluateAll((parts) => parts.map((part) => (part as HTMLElement).offsetHeight));
    await it.frame.locator('.footer button').click();
    await it.frame.locator('[aria-busy=true]').waitFor();
    const before = await heights();
    await it.frame.locator('#monthly_income_in_cents').fill('4,200');
    release();
    const box = it.frame.locator('[name=electronic_records]');
    await box.waitFor();
    stage.service.delays.clear();
    expect(await it.frame.locator('[aria-busy=true]').count()).toBe(0);
    expect(await box.isChecked()).toBe(false);
    expect(await it.frame.locator('#monthly_income_in_cents').inputValue()).toBe('4,200');
    expect(await heights()).toEqual(before);
    await it.close();
  },
);

test('without the words about notices, the application says so and can be sent, and asks again later', async () => {
  const before = wordRequests().length;
  // The page gets the first response and shows no error. The form gets the second one.
  stage.service.faults.set('GET /electronic_records', ['unavailable', 'unavailable']);
  const it = await stage.open({ state: stateOf() });
  await expect.poll(() => wordRequests().length).toBe(before + 1);
  await waitForWords(it);
  expect(await it.frame.getByRole('alert').count()).toBe(0);
  await press(it, 'Start my application');
  await it.frame.getByRole('alert').getByText('Something went wrong on our end').waitFor();
  await it.frame.getByText('All fields are required.').waitFor();
  expect(await it.frame.getByRole('checkbox', consent).count()).toBe(0);
  expect(await it.frame.locator('[aria-busy=true]').count()).toBe(0);
  stage.service.faults.set('GET /electronic_records', ['not_found', 'not_found']);
  await press(it, 'Back');
  await expect.poll(() => wordRequests().length).toBe(before + 3);
  // A process of the last release does not know the call. The tenant is not told of that.
  await press(it, 'Start my application');
  await it.frame.getByText('All fields are required.').waitFor();
  expect(await it.frame.getByRole('alert').count()).toBe(0);
  await press(it, 'Back');
  await expect.poll(() => wordRequests().length).toBe(before + 5);
  await openApplication(it);
  await it.close();

  stage.service.faults.set('GET /electronic_records', ['unavailable', 'unavailable']);
  const again = await stage.open({ state: stateOf() });
  await press(again, 'Start my application');
  await again.frame.getByText('All fields are required.').waitFor();
  await fillApplication(again);
  await press(again, 'Send my application');
  await waitForTitle(again, /^You’re approved/);
  const posted = stage.service.calls.filter(({ call }) => call.startsWith('POST '));
  expect(posted.slice(-2).map(({ call }) => call)).toEqual(['POST /session', 'POST /application']);
  stage.service.faults.clear();
  await again.close();
});

test('words about notices that changed are read again, and must be agreed to again', async () => {
  const it = await stage.open({ state: stateOf() });
  await openApplication(it);
  await fillApplication(it);
  await it.frame.getByRole('checkbox', consent).check();
  const { choice, texts } = recordsWith(null);
  it.tenant.records = {
    choice,
    texts: texts.map((text) => ({
      ...text,
      sha256: `new-sha256-of-${text.locale}`,
      text: text.text.replace('on screen', 'in the app'),
    })),
  };
  stage.service.faults.set('POST /electronic_records', ['version_conflict']);
  await press(it, 'Send my application');
  const changed = it.frame.getByRole('checkbox', { name: /by email and in the app/ });
  await changed.waitFor();
  expect(await changed.isChecked()).toBe(false);
  expect(await it.frame.getByLabel('What’s your monthly income?').inputValue()).toBe('4,200');
  await changed.check();
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  const sent = stage.service.calls.findLast(({ call }) => call === 'POST /electronic_records');
  expect(sent?.body).toEqual({ accepted_sha256: 'new-sha256-of-en' });
  await it.close();
});

test('when no plan fits anymore, the choice says so, and what to do', async () => {
  const it = await stage.open({ state: stateOf(approvedFirst), quotes: [] });
  // The state that the server had when the experience opened.
  await it.frame.getByRole('button', { name: 'Try again' }).waitFor();
  it.tenant.state = stateOf({ ...approvedFirst, step: 'blocked' });
  await press(it, 'Try again');
  await waitForTitle(it, 'It’s too late to split this balance');
  await it.frame.getByText('Next time, check back a few days before the due date.').waitFor();
  await it.frame.getByRole('button', { name: /^Back to/ }).waitFor();
  await it.close();
});

test.for([
  ['400,50', 40_050],
  ['1.234,56', 123_456],
  ['1,5', 150],
  ['$4,200', 420_000],
] as const)('a monthly income of %s is sent as %i cents', async ([typed, cents]) => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  await it.frame.getByLabel('What’s your monthly income?').fill(typed);
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  const sent = stage.service.calls.findLast(({ call }) => call === 'POST /application');
  expect(sent?.body).toMatchObject({ monthly_income_in_cents: cents });
  await it.close();
});

test('an income with two readings is asked about, and nothing is sent', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  const sent = () => stage.service.calls.filter(({ call }) => call === 'POST /application').length;
  const before = sent();
  await it.frame.getByLabel('What’s your monthly income?').fill('1.500');
  await press(it, 'Send my application');
  await it.frame
    .getByText('Did you mean $1,500.00 or $1.50? Enter the amount with two decimals.')
    .waitFor();
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('¿Quieres decir $1,500.00 o $1.50?').waitFor();
  expect(sent()).toBe(before);
  await it.close();
});

test('a returning tenant confirms the earlier answers with one click, and can correct them', async () => {
  const it = await stage.open({ state: stateOf(returning) });
  await press(it, 'Start my application');
  await waitForTitle(it, 'Is this still right?');
  await it.frame.getByText('Step 1 of 3').waitFor();
  await it.frame.getByText('••/••/1990').waitFor();
  await press(it, 'Send my application');
  await it.frame.getByText('Answer yes or no.').waitFor();
  await it.frame.getByLabel('No, it changed').check();
  await press(it, 'Send my application');
  await it.frame.getByText('Enter an amount').waitFor();
  await press(it, 'Change your date of birth');
  await it.frame.getByLabel('Date of birth').waitFor();
  await it.close();

  const again = await stage.open({ state: stateOf(returning) });
  await press(again, 'Start my application');
  await again.frame
    .getByRole('radiogroup', { name: 'Do you still make $4,200 a month?' })
    .waitFor();
  await again.frame.getByLabel('Yes', { exact: true }).check();
  await again.frame.getByLabel(/^I agree that/).check();
  await press(again, 'Send my application');
  await waitForTitle(again, /^You’re approved/);
  expect(again.tenant.applied).toEqual({
    monthly_income_in_cents: 420000,
    consent: true,
    locale: 'en',
  });
  await again.frame.getByText('Step 2 of 3').waitFor();
  await press(again, 'Change how you pay');
  await again.frame.getByText('Step 2 of 3').waitFor();
  await press(again, 'Back');
  await press(again, /^Continue with/);
  await waitForTitle(again, 'Review and agree');
  await again.close();
});

test('typed account numbers are checked while they are typed, and the second one may be pasted', async () => {
  const it = await stage.open({ state: stateOf(approvedFirst) });
  await press(it, /^Continue with/);
  await it.frame.getByLabel('Find your bank').fill('cafe');
  await it.frame.getByRole('button', { name: 'Café Azul Bank' }).waitFor();
  expect(await it.frame.getByRole('list', { name: 'Banks' }).getByRole('button').count()).toBe(1);
  await typeAccount(it, '12345678');
  const routing = it.frame.getByLabel('Routing number');
  await routing.fill('11000000');
  expect(await routing.getAttribute('aria-invalid')).toBe('false');
  await routing.pressSequentially('8');
  await it.frame.getByText('One of its digits is wrong').waitFor();
  await routing.fill('110000000');
  expect(await routing.getAttribute('aria-invalid')).toBe('false');
  const again = it.frame.getByLabel('Confirm account number');
  await again.fill('12345687');
  await press(it, 'Use this account');
  await it.frame.getByText('The two account numbers don’t match.').waitFor();
  await again.fill('');
  await again.evaluate((input: HTMLInputElement) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '12345678');
    const paste = new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true });
    if (input.dispatchEvent(paste)) input.setRangeText('12345678');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(it, 'Use this account');
  await waitForTitle(it, 'Review and agree');
  await it.close();
});

test('a bank’s page that is still open can be opened again, or another bank picked', async () => {
  const it = await stage.open({ state: stateOf(approvedFirst) });
  await press(it, /^Continue with/);
  const [tab] = await Promise.all([
    it.page.context().waitForEvent('page'),
    press(it, 'Copper Kettle Bank'),
  ]);
  await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  const link = it.frame.getByRole('link', { name: 'Open Copper Kettle Bank' });
  expect(await link.getAttribute('rel')).toContain('noopener');
  await press(it, 'Choose another bank');
  await pickBank(it);
  await waitForTitle(it, 'Review and agree');
  await it.close();
});

test('a blocked screen shows the charges that block, what to do, by when, and whom to ask', async () => {
  const earlier = (id: string, day: string, amount: number, paid = 0) => ({
    ...charge(id, 'rent', `Rent ${day}`, amount),
    due_date: day,
    amount_paid_in_cents: paid,
  });
  const it = await stage.open({
    state: stateOf({
      step: 'blocked',
      eligibility: { state: 'blocked', reason: 'past_due_balance', until: null },
      blocking_charges: [
        earlier('C-11', '2025-12-01', 20000),
        earlier('C-12', '2026-01-01', 150000, 120000),
      ],
    }),
  });
  await waitForTitle(it, 'Pay your earlier balance first');
  const facts = await it.frame.locator('dd').allInnerTexts();
  expect(facts).toEqual(['$200.00', '$300.00', '$500.00']);
  expect(await it.frame.getByText('$1,520.12').count()).toBe(0);
  const advice = it.frame.locator('section', { hasText: 'What you can do' }).locator('p');
  expect(await advice.allInnerTexts()).toEqual([
    'Pay the earlier balance in your portal, then come back here.',
    'You can still split your rent until Tuesday, February 10.',
    'If something looks wrong, ask your property manager through your resident portal. You can also email us at help@svc.example.',
  ]);
  await it.close();
});

test('a blocked screen says until when the tenant can still do something, or when to pay', async () => {
  const blockedBy = async (
    reason: ExperienceState['eligibility']['reason'],
    change: Partial<ExperienceState>,
  ) => {
    const eligibility = { state: 'blocked', reason, until: null } as const;
    const it = await stage.open({ state: stateOf({ step: 'blocked', eligibility, ...change }) });
    const advice = it.frame.locator('section', { hasText: 'What you can do' }).locator('p');
    const lines = await advice.allInnerTexts();
    await it.close();
    return lines.slice(0, -1);
  };
  const declined = { state: 'declined', reason: null, until: '2026-05-02' } as const;
  const closed = { state: 'cycle_closed', reason: null, until: null } as const;
  expect(await blockedBy(null, { eligibility: closed, today: '2026-02-12' })).toEqual([
    'Pay your rent in your portal as soon as you can.',
    'Next time, check back a few days before the due date.',
  ]);
  expect(await blockedBy(null, { eligibility: declined })).toEqual([
    'Pay your rent in your portal by Sunday, February 1, as usual.',
    'You can apply again starting Saturday, May 2.',
  ]);
  expect(await blockedBy('would_land_late', {})).toEqual([
    'To avoid a late fee, pay in your portal today. Next time, check back before the due date.',
  ]);
});
