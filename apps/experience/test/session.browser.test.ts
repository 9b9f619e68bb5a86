import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptAll, fillApplication, press, toConsent, waitForTitle } from './fixture/actions.ts';
import { answerDropped, dropped } from './fixture/service.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';
import { FixtureTenant } from './fixture/tenants.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const exchanges = () => stage.service.calls.filter(({ call }) => call === 'POST /session').length;

test('a preloaded frame shows its skeleton and sends no request', async () => {
  const before = stage.service.calls.length;
  const it = await stage.open({ state: stateOf(), token: null });
  await it.frame.locator('.skeleton-button').waitFor();
  expect(stage.service.calls.length).toBe(before);
  expect(await it.received()).toEqual([]);

  stage.service.tokens.set('later', it.tenant);
  await it.send({ type: 'token', token: 'later' });
  await waitForTitle(it, /^Split your/);
  await it.waitFor('ready');
  await it.close();
});

test('the same token changes nothing; a new one renews the session and keeps step and input', async () => {
  const first = exchanges();
  const it = await stage.open({ state: stateOf() });
  expect(exchanges()).toBe(first + 1);
  await press(it, 'Start my application');
  await fillApplication(it);
  const before = exchanges();
  const [token] = [...stage.service.tokens].findLast(([, tenant]) => tenant === it.tenant) ?? [];
  await it.send({ type: 'token', token: token ?? '' });
  await it.waitFor('ready', 2);
  expect(exchanges()).toBe(before);

  stage.service.tokens.set('renewed', it.tenant);
  await it.send({ type: 'token', token: 'renewed' });
  await it.waitFor('ready', 3);
  expect(exchanges()).toBe(before + 1);
  await waitForTitle(it, 'Two quick questions');
  expect(await it.frame.getByLabel('What’s your monthly income?').inputValue()).toBe('4,200');
  await it.close();
});

test('after an expired session, a new token leads back to the agreement', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  await toConsent(it);
  await it.frame.getByLabel(/^I have read/).check();
  stage.service.faults.set('POST /plan', ['token_expired']);
  await press(it, /^Agree and pay/);
  await waitForTitle(it, 'You were signed out');
  await it.waitFor('token_needed');
  await press(it, 'Continue');
  await it.waitFor('token_needed', 2);

  stage.service.tokens.set('second', it.tenant);
  await it.send({ type: 'token', token: 'second' });
  await waitForTitle(it, 'Review and agree');
  await it.frame.getByText('Nothing was paid and nothing changed.').waitFor();
  await press(it, /^Agree and pay/);
  await waitForTitle(it, 'Your rent is split');
  expect(it.tenant.plansMade).toBe(1);
  await it.close();
});

test('a session renewed while paying says that nothing was paid, or that the outcome is unknown', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Pay early/);
  const renew = async (token: string) => {
    await waitForTitle(it, 'You were signed out');
    stage.service.tokens.set(token, it.tenant);
    await it.send({ type: 'token', token });
  };
  const payCall = `POST /plan/${halfway.id}/pay`;
  stage.service.faults.set(payCall, ['token_expired']);
  await press(it, 'Pay $380.03 now');
  await renew('pay-1');
  await it.frame.getByText('Nothing was paid and nothing changed.').waitFor();
  // The request before is lost, so the payment may have been made.
  stage.service.faults.set(payCall, [...dropped]);
  await press(it, 'Pay $380.03 now');
  const unknown = it.frame.getByText('We can’t see yet if your payment went through.');
  await unknown.waitFor();
  stage.service.faults.set(payCall, ['token_expired']);
  await press(it, 'Pay $380.03 now');
  await renew('pay-2');
  await unknown.waitFor();
  await press(it, 'Pay $380.03 now');
  await waitForTitle(it, 'You paid $380.03');
  await it.close();
});

test('a payment whose response was lost is shown as made once the session is renewed, and not paid again', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Pay early/);
  const payCall = `POST /plan/${halfway.id}/pay`;
  stage.service.faults.set(payCall, [...answerDropped]);
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('We can’t see yet if your payment went through.').waitFor();
  stage.service.faults.set(payCall, ['token_expired']);
  await press(it, 'Pay $380.03 now');
  await waitForTitle(it, 'You were signed out');
  stage.service.tokens.set('paid-already', it.tenant);
  await it.send({ type: 'token', token: 'paid-already' });
  // The page to pay would offer the next payment now.
  await waitForTitle(it, 'You paid $380.03');
  await it.frame.getByText('3 of 4 payments made').waitFor();
  await it.close();
});

test('what was done is not shown again to the next visit', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Autopay On/);
  await press(it, 'Turn autopay off');
  const done = it.frame.getByText('Autopay is off', { exact: true });
  await done.waitFor();
  stage.service.tokens.set('next-visit', it.tenant);
  await it.send({ type: 'token', token: 'next-visit' });
  await it.waitFor('ready', 2);
  await done.waitFor({ state: 'detached' });
  await it.close();
});

test('after a refused token, another one is requested without an error event', async () => {
  const it = await stage.open({ state: stateOf(), token: 'expired' });
  await waitForTitle(it, 'You were signed out');
  await it.waitFor('token_needed');
  expect(await it.events()).toEqual([]);
  await it.close();
});

test('a wrong signature is reported to the partner and explained to the tenant', async () => {
  const it = await stage.open({ state: stateOf(), signature: 'wrong' });
  await waitForTitle(it, 'We can’t open this right now');
  await expect
    .poll(it.events)
    .toMatchObject([
      { type: 'ERROR', data: { code: 1001, error_code: 'signature_invalid', retryable: false } },
    ]);
  await press(it, 'Close');
  await it.waitFor('close');
  expect((await it.received()).at(-1)).toMatchObject({ reason: 'dismissed', last_step: null });
  await it.close();
});

test('if the server is unavailable, trying again uses the same token', async () => {
  stage.service.faults.set('POST /session', ['unavailable']);
  const it = await stage.open({ state: stateOf() });
  await waitForTitle(it, 'We can’t reach the service');
  await expect.poll(it.events).toMatchObject([{ data: { code: 1500, retryable: true } }]);
  await press(it, 'Try again');
  await waitForTitle(it, /^Split your/);
  await it.close();
});

test('a new token replaces one whose exchange is still running', async () => {
  stage.service.faults.set('POST /session', ['hang']);
  const it = await stage.open({ state: stateOf(), token: null });
  const before = exchanges();
  await it.send({ type: 'token', token: 'slow' });
  await expect.poll(exchanges).toBe(before + 1);
  const owner = new FixtureTenant(stateOf(approved));
  stage.service.tokens.set('fast', owner);
  await it.send({ type: 'token', token: 'fast' });
  await waitForTitle(it, /^You’re approved/);
  await acceptAll(it);
  await waitForTitle(it, 'Your rent is split');
  expect(owner.plansMade).toBe(1);
  await it.close();
});

test('Escape inside the frame reaches the partner’s page', async () => {
  const it = await stage.open({ state: stateOf() });
  await it.frame.getByRole('button', { name: 'Start my application' }).focus();
  await it.page.keyboard.press('Escape');
  await it.waitFor('escape');
  expect((await it.received()).filter(({ type }) => type === 'escape')).toHaveLength(1);
  await it.close();
});

test('the back button goes one step back, and closes on the first screen', async () => {
  const it = await stage.open({ state: stateOf() });
  const reported = async () =>
    (await it.received()).filter(({ type }) => type === 'can_go_back').at(-1);
  await press(it, 'Start my application');
  await expect.poll(reported).toMatchObject({ value: true });
  await fillApplication(it);
  await it.send({ type: 'back' });
  await it.frame.getByRole('button', { name: 'Start my application' }).waitFor();
  await expect.poll(reported).toMatchObject({ value: false });
  expect((await it.received()).map(({ type }) => type)).not.toContain('close');
  // The input is kept, as with the screen's own back button.
  await press(it, 'Start my application');
  expect(await it.frame.getByLabel('What’s your monthly income?').inputValue()).toBe('4,200');
  await it.send({ type: 'back' });
  await it.frame.getByRole('button', { name: 'Start my application' }).waitFor();
  await it.send({ type: 'back' });
  await it.waitFor('close');
  const closed = (await it.received()).find(({ type }) => type === 'close');
  expect(closed).toMatchObject({ reason: 'dismissed', last_step: 'offer' });
  await it.close();
});

test('an open frame follows the page’s theme and language, and keeps the input', async () => {
  const it = await stage.open({ state: stateOf(), theme: 'light' });
  await press(it, 'Start my application');
  await fillApplication(it);
  await it.send({ type: 'appearance', theme: 'dark', locale: 'es-MX' });
  await waitForTitle(it, 'Dos preguntas rápidas');
  expect(await it.frame.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await it.frame.getByLabel('¿Cuál es tu ingreso mensual?').inputValue()).toBe('4,200');
  await it.send({ type: 'appearance', theme: 'auto', locale: 'en-US' });
  await waitForTitle(it, 'Two quick questions');
  expect(await it.frame.getByLabel(/^I agree that/).isChecked()).toBe(true);
  await it.close();
});
