import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseAccount } from './choose-account.ts';
import { type OpenDemo, openDemo, signInAs } from './open-demo.ts';
import { waitForActivity } from './wait-for-activity.ts';

let stage: OpenDemo;
beforeAll(async () => {
  stage = await openDemo();
});
afterAll(() => stage?.close());

/** Splits Ada's rent into four payments and returns her frame. */
async function splitIntoFour(): Promise<FrameLocator> {
  const page = await stage.openPage();
  await signInAs(page, 'Ada Lane');
  await page.getByRole('button', { name: 'See my options' }).click();
  const frame = page.frameLocator('iframe');
  const press = (name: string | RegExp) => frame.getByRole('button', { name }).click();
  await press('Start my application');
  // After starting over, the tenant confirms what the service knows instead of typing it again.
  const birth = frame.getByRole('textbox', { name: 'Date of birth' });
  const known = frame.getByRole('button', { name: 'Change your date of birth' });
  await birth.or(known).first().waitFor();
  if (await birth.isVisible()) await birth.fill('04/12/1990');
  const income = frame.getByLabel('What’s your monthly income?');
  if (await income.isVisible()) await income.fill('5000');
  else await frame.getByLabel('Yes', { exact: true }).check();
  await frame.getByLabel(/^I agree that/).check();
  await press('Send my application');
  await frame.getByRole('radio', { name: /^4 payments/ }).check();
  await press('Continue with 4 payments');
  // After starting over, the tenant still has an account.
  const agreement = frame.getByRole('checkbox');
  const banks = frame.getByLabel('Find your bank');
  await agreement.or(banks).first().waitFor();
  if (await banks.isVisible()) await chooseAccount(frame);
  await frame.getByRole('checkbox').check();
  await press(/^Agree and pay/);
  await press('See my plan');
  await frame.getByRole('heading', { name: /^Your next payment is/ }).waitFor();
  return frame;
}

test('a plan is moved, paid early and switched to manual payments, and the partner’s page gets each event', async () => {
  const frame = await splitIntoFour();
  const press = (name: string | RegExp) => frame.getByRole('button', { name }).click();

  await press(/^Move a payment/);
  await frame.locator('input[name=due_date]').last().check();
  await frame.getByRole('radio', { name: 'I get paid on another day' }).check();
  await press(/^Move it to/);
  await frame.getByText('You moved a payment').waitFor();
  await frame.getByText(/^You moved your/).waitFor();

  await press(/^Autopay/);
  await press('Turn autopay off');
  await frame.getByText('Autopay is off', { exact: true }).waitFor();

  await press(/^Pay early/);
  await press(/^Pay \$380\.03 now/);
  await frame.getByText('You paid $380.03').waitFor();
  await frame.getByText('$760.06 left', { exact: true }).waitFor();
  await frame
    .getByRole('button', { name: /^Receipt for/ })
    .first()
    .click();
  await frame.getByRole('heading', { name: /^Receipt for/ }).waitFor();

  for (const type of ['REPAY', 'PLAN_UPDATED', 'repayment.created', 'installment.rescheduled']) {
    await waitForActivity(stage, type);
  }
  expect(stage.browserErrors).toEqual([]);
});

/** The links in the mail files written so far. */
async function linksInMails(): Promise<string[]> {
  const folder = join(stage.folder, 'mail');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => {
    const plain = text.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
    return /http\S+#link=\w+(?=\s)/.exec(plain)?.[0] ?? [];
  });
}

test('the link in the receipt mail opens the plan once', async () => {
  await expect.poll(linksInMails, { timeout: 30_000 }).not.toEqual([]);
  const [link = ''] = await linksInMails();
  for (const title of [/^(Your next payment is|Pay \$)/, 'Open your plan from your portal']) {
    const page = await stage.browser.newPage();
    page.on('pageerror', (error) => stage.browserErrors.push(error.message));
    await page.goto(link);
    // Loading the page does not use the link.
    await page.getByRole('button', { name: 'Open my plan' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(page.url()).not.toContain('#');
    await page.context().close();
  }
  expect(stage.browserErrors).toEqual([]);
});

/** Calls the simulation for Ada as the partner's backend would. */
async function simulate(call: string, body: object): Promise<void> {
  const facts = JSON.parse(await readFile(stage.demo.notes, 'utf8'));
  const response = await fetch(`${facts.base_url}/simulation/res-1042/${call}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${facts.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBe(200);
}

test('a failed payment is shown with its reason and paid by hand', async () => {
  await fetch(`${stage.demo.origin}/api/tenants/res-1042/start-over`, { method: 'POST' });
  const page = (await splitIntoFour()).owner().page();
  for (let turn = 0; turn < 3; turn += 1) {
    await simulate('fail_next_payment', { return_code: 'R01' });
  }
  await simulate('advance_clock', { by: 'P13D' });
  await page.reload();
  await page.getByRole('button', { name: /^(Manage plan|Pay now)$/ }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { name: /^Your .* payment didn’t go through$/ }).waitFor();
  await frame
    .getByText(/There wasn’t enough money in the account/)
    .first()
    .waitFor();
  await frame.getByRole('button', { name: /^Pay \$380\.03 now/ }).click();
  await frame.getByRole('heading', { name: 'What do you want to pay now?' }).waitFor();
  await frame.getByRole('button', { name: /^Pay \$380\.03 now/ }).click();
  await frame.getByText('You paid $380.03').waitFor();
  await frame.getByText('$760.06 left', { exact: true }).waitFor();
});

test('the account is changed, then a card, and the rest is paid early', async () => {
  await fetch(`${stage.demo.origin}/api/tenants/res-1042/start-over`, { method: 'POST' });
  const frame = await splitIntoFour();
  const press = (name: string | RegExp) => frame.getByRole('button', { name }).click();
  await press(/^Change how you pay/);
  await frame.getByLabel(/^Bank account/).check();
  await chooseAccount(frame, 'Empty Checking');
  await frame
    .getByText('Your next payments will come from your bank account ending in 0001.')
    .waitFor();
  await press(/^Change how you pay/);
  await frame.getByLabel(/^Debit card/).check();
  await frame.getByLabel('Card number').fill('4242424242424242');
  await frame.getByLabel('Expiration date').fill('12/40');
  await frame.getByLabel('Security code').fill('123');
  await press('Use this card');
  await frame
    .getByText('Your next payments will come from your Visa card ending in 4242.')
    .waitFor();
  await press(/^Pay early/);
  for (const box of await frame.getByRole('checkbox').all()) await box.check();
  await press('Pay $1,140.09 now');
  await frame.getByRole('heading', { name: 'Your plan is paid off' }).waitFor();
  expect(stage.browserErrors).toEqual([]);
});
