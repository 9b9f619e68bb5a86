import { type PortalInfo, SvcClient } from '@svc/node';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../../scripts/test/axe.ts';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { ada } from '../harness.ts';
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
  await applyWithCard(frame);
  expect(await frame.getByLabel('Card number').count()).toBe(0);
  const stripe = await tabOf(page, frame.getByRole('link', { name: 'Open the secure page' }));
  expect(new URL(stripe.url()).origin).toBe(double.origin);
  expect(await stripe.evaluate(() => window.opener)).toBeNull();
  const saved = stripe.waitForEvent('close');
  await stripe.getByRole('button', { name: 'Save a card that asks' }).click();
  await saved;
  await agree(frame);
  const bank = await tabOf(page, frame.getByRole('link', { name: 'Confirm at my bank' }));
  expect(new URL(bank.url()).origin).toBe(double.origin);
  const confirmed = bank.waitForEvent('close');
  await bank.getByRole('button', { name: 'Yes, pay' }).click();
  await confirmed;
  await isPaid(frame);
  expect(stage.browserErrors).toEqual([]);
});

test('in an app that opens no windows, Stripe and the bank take the place of the portal’s page', async () => {
  const page = await stage.openPage();
  await page.addInitScript(opensNoWindow);
  await signInAs(page, 'Dev Patel');
  await page.getByRole('button', { name: 'See my options' }).click();
  const frame = page.frameLocator('iframe');
  await applyWithCard(frame);
  const here = frame.getByRole('link', { name: 'Continue on this page' });
  expect(await here.count()).toBe(0);
  await frame.getByRole('link', { name: 'Open the secure page' }).click();
  // A portal in a sandboxed frame may not be left either.
  await frame.getByText('open your portal in your browser instead').waitFor();
  await here.click();
  // The tenant goes back, and then leaves by Stripe’s own button.
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Choose my plan' }).click();
  await continueWithCard(frame);
  await frame.getByRole('link', { name: 'Open the secure page' }).click();
  await here.click();
  await page.getByRole('button', { name: 'Save a card that asks' }).click();
  await page.getByRole('button', { name: 'Choose my plan' }).click();
  await agree(frame);
  await frame.getByRole('link', { name: 'Confirm at my bank' }).click();
  await here.click();
  await page.getByRole('button', { name: 'Yes, pay' }).click();
  await page.getByRole('button', { name: 'See status' }).click();
  await isPaid(frame);
  expect(stage.browserErrors).toEqual([]);
});

test('a hosted page leads to Stripe and the bank, and they lead back to its step', async () => {
  const apiKey = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'elm', name: 'Elm Residents' }),
  );
  const svc = new SvcClient({ apiKey, baseUrl: `${stage.service.listeningAt}/v1` });
  await svc.simulation.setUnderwritingResult('t-1', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  const { experience_url } = await svc.portalInfo('t-1', {
    ...(ada as PortalInfo),
    hosted: { use: 'redirect' },
  });
  const page = await stage.browser.newPage();
  page.setDefaultTimeout(15_000);
  await page.addInitScript(opensNoWindow);
  await page.goto(experience_url ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await applyWithCard(page);
  await page.getByRole('link', { name: 'Open the secure page' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  // Nothing was added, so the page can be opened again.
  await page.getByRole('radio', { name: /^Debit card/ }).check({ force: true });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Open the secure page' }).click();
  await page.getByRole('button', { name: 'Save a card that asks' }).click();
  await agree(page);
  await page.getByRole('link', { name: 'Confirm at my bank' }).click();
  await page.getByRole('button', { name: 'Yes, pay' }).click();
  await isPaid(page);
});

test('a link to the bank that has expired leads back', async () => {
  const page = await stage.openPage('/');
  const portal = page.url();
  await page.goto(`${stage.service.listeningAt}/setup/visit#expired`);
  await page.getByRole('heading', { name: 'This page did not open' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.waitForURL(portal);
});

/** Makes the page behave as in a WebView whose app handles no windows. */
const opensNoWindow = `
  window.open = () => null;
  addEventListener('click', (event) => {
    if (event.target.closest?.('a[target=_blank]')) event.preventDefault();
  }, true);`;

type Place = Page | FrameLocator;

async function applyWithCard(on: Place): Promise<void> {
  await on.getByRole('button', { name: 'Start my application' }).click();
  await on.getByLabel('Date of birth').fill('04/12/1990');
  await on.getByLabel('What’s your monthly income?').fill('5000');
  await on.getByLabel(/^I agree that/).check();
  await on.getByRole('button', { name: /^Send my application/ }).click();
  await on.getByRole('radio', { name: /^4 payments/ }).check();
  await on.getByRole('button', { name: 'Continue with 4 payments' }).click();
  await continueWithCard(on);
}

async function continueWithCard(on: Place): Promise<void> {
  await on.getByRole('radio', { name: /^Debit card/ }).check({ force: true });
  await on.getByRole('button', { name: 'Continue' }).click();
}

async function tabOf(page: Page, link: Locator): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await tab.getByRole('heading').waitFor();
  return tab;
}

async function agree(on: Place): Promise<void> {
  await on.getByRole('checkbox').check();
  await on.getByRole('button', { name: /^Agree and pay/ }).click();
  await on.getByText('Your bank wants you to confirm a payment').waitFor();
}

async function isPaid(on: Place): Promise<void> {
  await on.getByRole('link', { name: 'Confirm at my bank' }).waitFor({ state: 'detached' });
  await on.getByRole('heading', { name: /^Your next payment is/ }).waitFor();
}
