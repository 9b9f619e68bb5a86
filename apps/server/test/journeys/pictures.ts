/**
 * Takes the pictures of docs/how-a-split-works.md and of the README from the running demo:
 * `npm run pictures` writes docs/pictures/ and docs/picture.png.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import { chooseAccount } from './choose-account.ts';
import { openDemo, signInAs } from './open-demo.ts';
import { writePng } from './write-png.ts';

const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const phone = { width: 390, height: 844 };

await mkdir(`${docs}pictures`, { recursive: true });
const stage = await openDemo();
try {
  await splitOnAPhone();
  await openConsole();
  await declineOnAPhone();
  await chooseOnADesktop();
} finally {
  await stage.close();
}

/** Takes Ada's pictures, from the widget to a payment that fails. */
async function splitOnAPhone(): Promise<void> {
  const { page, frame, press } = await signIn('Ada Lane', phone);
  await shootWidget(page, 'widget-new');
  await page.getByRole('button', { name: 'See my options' }).click();
  await shoot(page, frame, 'offer', /^Split your/);
  await press('Start my application');
  await fillApplication(frame);
  await shoot(page, frame, 'application', 'Two quick questions');
  await press('Send my application');
  await frame.getByRole('radio', { name: /^4 payments/ }).check();
  await shoot(page, frame, 'choice', /^You’re approved/);
  await press('Continue with 4 payments');
  await frame.getByRole('button', { name: 'Platypus National Bank' }).waitFor();
  await shoot(page, frame, 'account', 'How do you want to pay?');
  await chooseAccount(frame);
  await frame.getByRole('checkbox').check();
  await shoot(page, frame, 'agreement', 'Review and agree');
  await press(/^Agree and pay/);
  await shoot(page, frame, 'done', /split$/);
  await press('See my plan');
  await shoot(page, frame, 'plan', /^Your next payment is/);
  await press(/^Can’t make this payment/);
  await shoot(page, frame, 'cant-pay', 'Can’t make this payment?');
  await page.reload();
  await page.getByRole('button', { name: 'Manage plan' }).waitFor();
  await shootWidget(page, 'widget-plan');

  for (let turn = 0; turn < 3; turn += 1) {
    await simulate('fail_next_payment', { return_code: 'R01' });
  }
  await simulate('advance_clock', { by: 'P13D' });
  await page.reload();
  await page.getByRole('button', { name: 'Pay now' }).waitFor();
  await shootWidget(page, 'widget-late');
  await page.getByRole('button', { name: 'Pay now' }).click();
  await shoot(page, frame, 'failed', /didn’t go through$/);
  await page.context().close();
}

/** Takes the pictures of the portal's console, after Ada's payment has failed. */
async function openConsole(): Promise<void> {
  const { url } = await call<{ url: string }>('GET', '/partner/webhook_portal_url?scope=admin');
  const viewport = { width: 1280, height: 800 };
  const page = await (await stage.browser.newContext({ viewport })).newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Needs attention').first().waitFor();
  await writePicture('pictures/console-home', await page.screenshot({ animations: 'disabled' }));
  await page.goto(new URL('/portal/messages', url).href);
  await page.getByRole('link', { name: 'settlement.created' }).first().click();
  await page.getByRole('heading', { name: 'settlement.created' }).waitFor();
  await page.mouse.move(0, 0);
  await writePicture('pictures/console-message', await page.screenshot({ animations: 'disabled' }));
  await page.context().close();
}

async function declineOnAPhone(): Promise<void> {
  const { page, frame, press } = await signIn('Ben Ortiz', phone);
  await page.getByRole('button', { name: 'See my options' }).click();
  await press('Start my application');
  await fillApplication(frame);
  await press('Send my application');
  await frame.getByText('Your income is too low for the amount requested').first().waitFor();
  await shoot(page, frame, 'declined', /^We can’t split/);
  await page.context().close();
}

/** Takes the README's picture: the demo with the open experience between the guide and the webhooks. */
async function chooseOnADesktop(): Promise<void> {
  const viewport = { width: 1280, height: 800 };
  const context = await stage.browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${stage.demo.origin}/?tenant=res-1103`);
  const portal = page.frameLocator('iframe.frame__page');
  const frame = portal.frameLocator('iframe');
  const press = (button: string) => frame.getByRole('button', { name: button }).click();
  await portal.getByRole('button', { name: 'See my options' }).click();
  await press('Start my application');
  await fillApplication(frame);
  await press('Send my application');
  await frame.getByRole('radio', { name: /^4 payments/ }).check();
  await frame.getByText('Maple Court gets').waitFor();
  await frame.locator('html').evaluate(() => window.scrollTo(0, 0));
  await writePicture('picture', await page.screenshot({ animations: 'disabled' }));
  await page.context().close();
}

async function signIn(name: string, viewport: { width: number; height: number }) {
  const context = await stage.browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${stage.demo.origin}/portal`);
  await signInAs(page, name);
  const frame = page.frameLocator('iframe');
  const press = (button: string | RegExp) => frame.getByRole('button', { name: button }).click();
  return { page, frame, press };
}

async function fillApplication(frame: FrameLocator): Promise<void> {
  await frame.getByLabel('Date of birth').fill('4/12/1990');
  await frame.getByLabel('What’s your monthly income?').fill('5000');
  await frame.getByLabel(/^I agree that/).check();
}

async function shootWidget(page: Page, name: string): Promise<void> {
  await writePicture(`pictures/${name}`, await page.locator('.widget').screenshot());
}

/** Takes a picture of the top of the screen with this title. */
async function shoot(
  page: Page,
  frame: FrameLocator,
  name: string,
  title: string | RegExp,
): Promise<void> {
  await frame.getByRole('heading', { level: 1, name: title }).scrollIntoViewIfNeeded();
  await frame.locator('html').evaluate(() => window.scrollTo(0, 0));
  // The pointer moves away, so that no row looks pressed.
  await page.mouse.move(0, 0);
  await writePicture(`pictures/${name}`, await page.screenshot({ animations: 'disabled' }));
}

async function writePicture(name: string, screenshot: Buffer): Promise<void> {
  await writePng(stage.browser, `${docs}${name}.png`, screenshot);
}

/** Moves Ada's clock, or decides the outcome of her next payment. */
async function simulate(action: string, body: object): Promise<void> {
  await call('POST', `/simulation/res-1042/${action}`, body);
}

/** Makes a call as the partner's backend would. */
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const facts = JSON.parse(await readFile(stage.demo.notes, 'utf8'));
  const response = await fetch(`${facts.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${facts.api_key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text).data;
}
