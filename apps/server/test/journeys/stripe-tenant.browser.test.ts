import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type StripeDouble,
  startStripeDouble,
} from '../support/stripe-double/start-stripe-double.ts';
import { type OpenDemo, openDemo, signInAs } from './open-demo.ts';

let double: StripeDouble;
let stage: OpenDemo;
beforeAll(async () => {
  double = await startStripeDouble();
  stage = await openDemo({
    SVC_PROCESSOR: 'stripe',
    STRIPE_SECRET_KEY: double.secretKey,
    STRIPE_WEBHOOK_SECRET: double.webhookSecret,
    STRIPE_API_BASE: double.origin,
  });
});
afterAll(async () => {
  await stage?.close();
  await double?.close();
});

test('a resident enters a debit card on Stripe’s page, and confirms a payment at the bank', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Ada Lane');
  await page.getByRole('button', { name: 'See my options' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Start my application' }).click();
  await frame.getByLabel('Date of birth').fill('04/12/1990');
  await frame.getByLabel('What’s your monthly income?').fill('5000');
  await frame.getByLabel(/^I agree that/).check();
  await frame.getByRole('button', { name: /^Send my application/ }).click();
  await frame.getByRole('radio', { name: /^4 payments/ }).check();
  await frame.getByRole('button', { name: 'Continue with 4 payments' }).click();
  await frame.getByRole('radio', { name: /^Debit card/ }).check({ force: true });
  expect(await frame.getByLabel('Card number').count()).toBe(0);
  await frame.getByRole('button', { name: 'Continue' }).click();
  const link = frame.getByRole('link', { name: 'Open the secure page' });
  const href = await link.getAttribute('href');
  expect(href).toContain(double.origin);
  expect(await link.getAttribute('rel')).toContain('noopener');
  const session = href?.split('/').at(-1) ?? '';
  const returned = double.account.completeSession(session, {
    type: 'card',
    failsWith: 'authentication_required',
  });
  await frame.getByRole('button', { name: /^Agree and pay/ }).waitFor();
  // Stripe redirects the other tab to this page.
  const tab = await stage.browser.newPage();
  await tab.goto(returned);
  await tab.getByRole('heading', { name: 'You can close this page' }).waitFor();

  await frame.getByRole('checkbox').check();
  await frame.getByRole('button', { name: /^Agree and pay/ }).click();
  await frame.getByText('Your bank wants you to confirm a payment').waitFor();
  const confirm = frame.getByRole('link', { name: 'Confirm at my bank' });
  const bankPage = new URL((await confirm.getAttribute('href')) ?? '');
  expect(bankPage.origin).toBe(double.origin);
  expect(await confirm.getAttribute('rel')).toContain('noopener');
  double.account.confirmAtBank(bankPage.pathname.split('/').at(-1) ?? '', true);
  await confirm.waitFor({ state: 'detached' });
  await frame.getByRole('heading', { name: /^Your next payment is/ }).waitFor();
  expect(stage.browserErrors).toEqual([]);
});
