import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseAccount } from './choose-account.ts';
import { type OpenDemo, openDemo, signInAs } from './open-demo.ts';
import { waitForActivity } from './wait-for-activity.ts';

let stage: OpenDemo;
beforeAll(async () => {
  stage = await openDemo();
});
afterAll(() => stage?.close());

async function openExperience(page: Page): Promise<FrameLocator> {
  await page.getByRole('button', { name: 'See my options' }).click();
  return page.frameLocator('iframe');
}

async function apply(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Start my application' }).click();
  await frame.getByLabel('Date of birth').fill('04/12/1990');
  await frame.getByLabel('What’s your monthly income?').fill('5000');
  await frame.getByLabel(/^I agree that/).check();
  await frame.getByRole('button', { name: 'Send my application' }).click();
}

async function splitInto(page: Page, count: number): Promise<void> {
  const frame = page.frameLocator('iframe');
  await frame.getByRole('radio', { name: new RegExp(`^${count} payments`) }).check();
  await frame.getByRole('button', { name: `Continue with ${count} payments` }).click();
  await chooseAccount(frame);
  await frame.getByRole('checkbox').check();
  await frame.getByRole('button', { name: /^Agree and pay/ }).click();
  await frame.getByRole('heading', { name: /split$/ }).waitFor();
}

test('closing and reopening keeps what was typed', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Ada Lane');
  const frame = await openExperience(page);
  await frame.getByRole('button', { name: 'Start my application' }).click();
  await frame.getByLabel('What’s your monthly income?').fill('5000');
  await frame.getByLabel('What’s your monthly income?').press('Escape');
  await page.locator('iframe').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'See my options' }).click();
  expect(await frame.getByLabel('What’s your monthly income?').inputValue()).toMatch(/5,?000/);
  await page.close();
});

test('rent, approved: from the widget to verified webhooks and a paid ledger', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Ada Lane');
  const frame = await openExperience(page);
  await apply(frame);
  await splitInto(page, 4);
  for (const type of ['plan.created', 'plan.activated', 'settlement.created', 'SPLIT_RENT']) {
    await waitForActivity(stage, type);
  }
  await frame.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByText('$0.00').first().waitFor();
  await page.close();
});

test('rent, declined: a calm page with what to do, and no reasons for the portal', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Ben Ortiz');
  const frame = await openExperience(page);
  await apply(frame);
  await frame.getByText('Your income is too low for the amount requested').first().waitFor();
  await waitForActivity(stage, 'application.declined');
  const activity = await page.request.get(`${stage.demo.origin}/api/activity`);
  expect(await activity.text()).not.toContain('income is too low');
  await page.close();
});

test('association dues are called dues until the plan is made', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Carol Whitfield');
  const frame = await openExperience(page);
  await frame.getByRole('heading', { name: /dues/ }).waitFor();
  await apply(frame);
  await splitInto(page, 2);
  await waitForActivity(stage, 'plan.activated');
  await page.close();
});

test('a preloaded token opens without asking the backend again', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Dev Patel');
  const frame = await openExperience(page);
  await apply(frame);
  await splitInto(page, 3);
  await waitForActivity(stage, 'settlement.created');
  await page.close();
});

test('the plain page does the same without a framework', async () => {
  const page = await stage.openPage('/plain?tenant=own-2210');
  await page.getByRole('button', { name: 'Manage plan' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  await frame.getByText('$312.50').first().waitFor();
  await page.close();
});

test('the guide plays a scenario, and its webhooks stay in view next to the open experience', async () => {
  const page = await stage.openPage('/?tenant=res-1042');
  const portal = page.frameLocator('iframe.frame__page');
  await portal.getByRole('heading', { name: 'Hello, Ada' }).waitFor();
  await page.getByRole('button', { name: 'Past due' }).click();
  await portal.getByRole('button', { name: 'Pay now' }).click();
  await portal.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
  const webhook = page.getByRole('listitem').filter({ hasText: 'plan.past_due' });
  await webhook.getByText('Verified').waitFor();
  await webhook.getByText('Data').click();
  await webhook.getByText('"res-1042.past_due"').waitFor();
  await page.close();
});

test('the console opens by its link and shows what was delivered', async () => {
  const page = await stage.openPage('/manage-webhooks');
  await page.getByRole('button', { name: 'Open the console' }).click();
  expect(page.url()).not.toContain('svc_pl_');
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByText('settlement.created').first().click();
  await page
    .getByText(/Delivered/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Event catalog' }).click();
  await page.getByText('plan.activated').first().waitFor();
  await page.close();
});

test('the browser reported no errors', () => {
  expect(stage.browserErrors).toEqual([]);
});
