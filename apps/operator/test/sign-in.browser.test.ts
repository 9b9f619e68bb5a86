import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { code, password } from './fixture/sign-in.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

/** Adds a virtual authenticator that confirms every passkey. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a new person creates a passkey, saves the recovery codes, and signs in with it', async () => {
  stage.service.state.enrolling.add('opened');
  const page = await stage.open({ path: '#good-link', role: null });
  await addAuthenticator(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  expect(await page.getByRole('list', { name: 'Recovery codes' }).locator('li').count()).toBe(10);
  expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'I have saved these codes' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.context().close();
});

test('a password and the code of an app sign in, and both have to be right', async () => {
  const page = await stage.open({ role: null });
  await page.getByRole('button', { name: 'Use a password and a code' }).click();
  await page.getByLabel('Name').fill('Olga Reyes');
  await page.getByLabel('Password').fill('wrong');
  await page.getByLabel('Code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.context().close();
});

test('a recovery code leads to enrolling a password with a QR code', async () => {
  const page = await stage.open({ role: null });
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Name').fill('Olga Reyes');
  await page.getByLabel('Recovery code').fill('7k3m-p9qx-0w2d');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Choose how you sign in' }).waitFor();
  await page.getByRole('button', { name: 'Use a password and an app instead' }).click();
  const qr = page.getByRole('img', { name: 'QR code for an authenticator app' });
  await expect
    .poll(() => qr.evaluate((it: HTMLImageElement) => it.naturalWidth))
    .toBeGreaterThan(0);
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByLabel('Password').fill('short');
  expect(await page.getByRole('button', { name: 'Save the password' }).isDisabled()).toBe(true);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  await page.context().close();
});

test('an action that needs a fresh proof asks for it, and then goes ahead', async () => {
  Object.assign(stage.service.state, { isFresh: false, hasPassword: true });
  const page = await stage.open({ path: '/tenants/maple/t-split?about=pay_01sample2' });
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByLabel('Amount').fill('100');
  await page.getByLabel('Reason').fill('Charged twice');
  await page.getByRole('button', { name: 'Preview' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password').fill(password);
  await proof.getByLabel('Code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByText('If you go ahead').waitFor();
  await page.getByRole('button', { name: 'Refund a payment' }).click();
  await page.locator('.svc-toast').getByText('will be sent back to the tenant').waitFor();
  const runs = stage.service.calls.filter(({ call }) => call === 'POST /commands/payment-refund');
  expect(runs.map(({ body }) => (body as { dry_run?: boolean }).dry_run)).toEqual([
    true,
    true,
    undefined,
  ]);
  await page.context().close();
});

test('without the proof nothing is done', async () => {
  Object.assign(stage.service.state, { isFresh: false, hasPassword: true });
  const page = await stage.open({ path: '/tenants/maple/t-split?about=pay_01sample2' });
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByLabel('Amount').fill('100');
  await page.getByLabel('Reason').fill('Charged twice');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('Nothing was done.').waitFor();
  await page.context().close();
});

test('passkeys and sessions are listed and can be ended', async () => {
  Object.assign(stage.service.state, { passkeys: ['key-1', 'key-2'], codesLeft: 9 });
  const page = await stage.open({ path: '/account' });
  await page.getByRole('button', { name: 'Remove passkey 2' }).click();
  await page.getByText('The passkey no longer works.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /Remove passkey/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'Sign out Grace Hall' }).click();
  await page.getByText('The session has ended.').waitFor();
  await page.context().close();
});

test('a company account signs in at the provider, and comes back to the same page', async () => {
  stage.service.state.provider = 'login.example.com';
  const page = await stage.open({ path: '/queues/settlements?snoozed=true', role: null });
  await page.getByRole('button', { name: 'Sign in with login.example.com' }).click();
  await page.waitForURL('**/operator/queues/settlements?snoozed=true');
  await page.getByRole('heading', { name: 'Failed settlements' }).waitFor();
  const finished = stage.service.calls.filter(({ call }) => call === 'POST /sign_in/oidc/finish');
  expect(finished.map(({ body }) => body)).toEqual([{ query: 'code=good&state=sample' }]);
  await page.context().close();
});

test('somebody who was not invited reads whom to ask, and no code stays in the address', async () => {
  stage.service.state.provider = 'login.example.com';
  const page = await stage.open({ path: '/signed-in?code=stranger&state=sample', role: null });
  await page.getByRole('heading', { name: 'You were not invited' }).waitFor();
  await page.getByRole('alert').getByText('Ask an admin of the console').waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/operator');
  await page.getByRole('button', { name: 'Sign in with another account' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const [begun] = stage.service.calls.filter(({ call }) => call === 'POST /sign_in/oidc');
  expect(begun?.body).toEqual({ return_to: '/operator', again: true });
  await page.context().close();
});

test('the proof of a company account opens a tab, and the page keeps what was typed', async () => {
  Object.assign(stage.service.state, { isFresh: false, provider: 'login.example.com' });
  const page = await stage.open({ path: '/tenants/maple/t-split?about=pay_01sample2' });
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByLabel('Amount').fill('100');
  await page.getByLabel('Reason').fill('Charged twice');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Sign in with login.example.com' }).click();
  await page.getByText('If you go ahead').waitFor();
  expect(await page.getByLabel('Reason').inputValue()).toBe('Charged twice');
  const begun = stage.service.calls.find(({ call }) => call === 'POST /session/prove/oidc');
  expect(begun?.body).toEqual({ return_to: '/operator/signed-in' });
  await page.context().close();
});
