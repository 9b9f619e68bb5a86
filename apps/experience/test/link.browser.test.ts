import type { ExperienceState } from '@svc/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { FixtureTenant } from './fixture/tenants.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const state = withPlan(halfway);
const calls = () => stage.service.calls.filter(({ call }) => call === 'POST /link').length;

/** Opens an email link outside a frame. */
async function arrive(link: string, of: ExperienceState | null, locale = 'en-US'): Promise<Page> {
  if (of !== null) stage.service.tokens.set(link, new FixtureTenant(of));
  const page = await stage.newPage({ locale });
  await page.goto(`${stage.service.origin}/experience/elm-residents#link=${link}`);
  return page;
}

/** Opens an email link, and presses the button that uses it. */
async function follow(link: string, of: ExperienceState | null): Promise<Page> {
  const page = await arrive(link, of);
  await page.getByRole('button', { name: 'Open my plan' }).click();
  return page;
}

/** Opens the page for an early payment. */
async function openPayPage(page: Page): Promise<void> {
  await title(page, 'Your next payment is Tuesday, February 17');
  await page.getByRole('button', { name: /^Pay early/ }).click();
}

async function answer(page: Page, last4: string): Promise<void> {
  await page.getByLabel('Date of birth').fill('04/27/1990');
  await page.getByLabel(/^Last four digits/).fill(last4);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

test('an email link is removed from the address, and opens the plan when the button is pressed', async () => {
  const before = calls();
  const page = await arrive('mail-1', state);
  await title(page, 'See your payment plan');
  expect(page.url()).toBe(`${stage.service.origin}/experience/elm-residents`);
  expect(await violationsOf(page)).toEqual([]);
  expect(calls()).toBe(before);
  await page.getByRole('button', { name: 'Open my plan' }).click();
  await title(page, 'Your next payment is Tuesday, February 17');
  expect(calls()).toBe(before + 1);
  await page.context().close();
});

test('before paying, the tenant must answer two questions', async () => {
  const page = await follow('mail-pay', state);
  await openPayPage(page);
  await title(page, 'Confirm it’s you');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Enter four digits.').waitFor();
  await answer(page, '9999');
  await page
    .getByText('The date or the digits don’t match our records. You have 4 tries left.')
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await answer(page, '0000');
  await page.getByRole('checkbox', { name: /Due Wednesday, February 25/ }).check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText(/^You paid \$[\d,.]+\. Thank you/).waitFor();
  await page.context().close();
});

test('after five wrong answers the link no longer works', async () => {
  const page = await follow('mail-guess', state);
  await openPayPage(page);
  for (const left of ['4 tries', '3 tries', '2 tries', 'one try']) {
    await answer(page, '9999');
    await page.getByText(`You have ${left} left.`).first().waitFor();
  }
  await answer(page, '9999');
  await title(page, 'This link no longer works');
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
  await page.context().close();
});

test('the agreement, which contains the account, needs confirmation too', async () => {
  const page = await follow('mail-paper', state);
  await title(page, 'Your next payment is Tuesday, February 17');
  await page.getByRole('button', { name: /agreement/i }).click();
  await title(page, 'Confirm it’s you');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await title(page, 'Your next payment is Tuesday, February 17');
  await page.context().close();
});

test('with a return_url, paying continues in the portal', async () => {
  const { tenant } = state;
  const named = { ...tenant, return_url: `${stage.partnerOrigin}/rent` };
  const page = await follow('mail-portal', { ...state, tenant: named });
  await openPayPage(page);
  await title(page, 'Continue in your resident portal');
  expect(await page.getByLabel(/^Last four digits/).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go to your resident portal' }).click();
  await page.waitForURL(`${stage.partnerOrigin}/rent`);
  await page.context().close();
});

test('the page of an email link and its questions are in Spanish for a Spanish browser', async () => {
  const page = await arrive('mail-es', state, 'es-US');
  await title(page, 'Consulta tu plan de pagos');
  await page.getByRole('button', { name: 'Abrir mi plan' }).click();
  await page.getByRole('button', { name: /^Pagar antes/ }).click();
  await title(page, 'Confirma que eres tú');
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test('a mail scanner that runs the page’s scripts does not use the link', async () => {
  const before = calls();
  const scanner = await arrive('mail-2', state);
  await title(scanner, 'See your payment plan');
  // By now the page has done everything that it does without input.
  await scanner.waitForLoadState('networkidle');
  await scanner.context().close();
  expect(calls()).toBe(before);
  const page = await follow('mail-2', null);
  await title(page, 'Your next payment is Tuesday, February 17');
  await page.context().close();
});

test('a used or expired link says where to find the plan', async () => {
  for (const link of ['mail-1', 'never-sent']) {
    const page = await follow(link, null);
    await title(page, 'Open your plan from your portal');
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
    await page.context().close();
  }
});

test('the back button leads to the return_url, if there is one', async () => {
  const { tenant } = state;
  const named = { ...tenant, return_url: `${stage.partnerOrigin}/rent` };
  const page = await follow('mail-3', { ...state, tenant: named });
  await page.getByRole('button', { name: 'Back to your resident portal' }).click();
  await page.waitForURL(`${stage.partnerOrigin}/rent`);
  await page.context().close();

  const other = await follow('mail-4', state);
  await other.getByRole('button', { name: 'Back to your resident portal' }).click();
  await title(other, 'You can close this page');
  expect(await violationsOf(other)).toEqual([]);
  await other.context().close();
});

test('if the service is unavailable, trying again uses the same link', async () => {
  stage.service.faults.set('POST /link', ['unavailable']);
  const page = await follow('mail-5', state);
  await title(page, 'We can’t reach the service');
  await page.getByRole('button', { name: 'Try again' }).click();
  await title(page, 'Your next payment is Tuesday, February 17');
  await page.context().close();
});
