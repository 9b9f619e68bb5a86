import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type PortalInfo, SvcClient, verifyExperienceResult } from '@svc/node';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../../scripts/test/axe.ts';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { ada } from '../harness.ts';
import { type OpenDemo, openDemo } from './open-demo.ts';

let stage: OpenDemo;
let svc: SvcClient;
let apiKey: string;
/** The portal's page that tenants return to. */
const portal = createServer((_, response) => response.end('<h1>Welcome back</h1>'));
let returnUrl: string;
beforeAll(async () => {
  stage = await openDemo();
  await new Promise<void>((listening) => portal.listen(0, '127.0.0.1', listening));
  returnUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}/rent`;
  apiKey = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'elm', name: 'Elm Residents' }),
  );
  svc = new SvcClient({ apiKey, baseUrl: `${stage.service.listeningAt}/v1` });
});
afterAll(async () => {
  portal.close();
  await stage?.close();
});

async function linkFor(externalId: string, use: 'redirect' | 'message'): Promise<string> {
  await svc.simulation.setUnderwritingResult(externalId, {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  const { experience_url } = await svc.portalInfo(externalId, {
    ...(ada as PortalInfo),
    hosted: { use, return_url: returnUrl },
  });
  return experience_url ?? '';
}

async function openOnPhone(url: string): Promise<Page> {
  const context = await stage.browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(url);
  return page;
}

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function apply(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Start my application' }).click();
  await page.getByLabel('Date of birth').fill('04/12/1990');
  await page.getByLabel('What’s your monthly income?').fill('5000');
  await page.getByLabel(/^I agree that/).check();
  await page.getByRole('button', { name: /^Send my application/ }).click();
  await page.getByRole('radio', { name: /^4 payments/ }).check();
}

async function accept(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue with 4 payments' }).click();
  // The bank's page opens in place of ours, and leads back to it.
  await page.getByRole('button', { name: 'Platypus National Bank' }).click();
  await page.getByRole('button', { name: 'Everyday Checking' }).click();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Agree and pay \$/ }).click();
  // Several tenants of these tests share the lease.
  await title(page, /^Your .*rent is split$/);
}

/** Waits for a mail that matches the pattern, and returns the pattern's first group. */
async function findInMails(pattern: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        const folder = join(stage.folder, 'mail');
        for (const file of await readdir(folder).catch(() => [])) {
          const mail = await readFile(join(folder, file), 'utf8');
          found ??= pattern.exec(mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='))?.[1];
        }
        return found;
      },
      { timeout: 30_000 },
    )
    .toBeDefined();
  return found ?? '';
}

test('a tenant goes from a link to an active plan on a phone, through a reload, and back with a result', async () => {
  const url = await linkFor('hosted-1', 'redirect');
  const page = await openOnPhone(url);
  await title(page, 'Pay over time');
  expect(page.url()).not.toContain('#');
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await apply(page);
  await page.reload();
  await accept(page);
  await page.getByRole('button', { name: 'See my plan' }).click();
  await page.getByRole('button', { name: /portal/ }).click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  const result = new URL(page.url()).searchParams.get('svc_result') ?? '';
  const outcome = await verifyExperienceResult(result, { apiKey });
  expect(outcome).toMatchObject({ external_id: 'hosted-1', reason: 'completed' });
  expect(await svc.useExperienceResult({ result })).toEqual(outcome);
  await expect(svc.useExperienceResult({ result })).rejects.toMatchObject({ code: 'result_used' });
  // The link itself is used up.
  const again = await openOnPhone(url);
  await again.getByRole('button', { name: 'Continue' }).click();
  await title(again, 'This page is no longer open');
  expect(await violationsOf(again)).toEqual([]);
});

test('the phone’s back button steps back on the page', async () => {
  const page = await openOnPhone(await linkFor('hosted-2', 'redirect'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Start my application' }).click();
  await page.getByLabel('Date of birth').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Start my application' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  const result = new URL(page.url()).searchParams.get('svc_result') ?? '';
  expect(await verifyExperienceResult(result, { apiKey })).toMatchObject({
    reason: 'dismissed',
    last_step: 'offer',
    plan_id: null,
  });
});

test('a link in a message asks for the code that comes by email', async () => {
  const page = await openOnPhone(await linkFor('hosted-3', 'message'));
  await title(page, 'First, a code');
  expect(await page.content()).not.toContain('Ada');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await title(page, 'Enter your code');
  expect(await violationsOf(page)).toEqual([]);
  // The phone reloads the page while the tenant reads the mail.
  await page.reload();
  await title(page, 'Enter your code');
  const code = await findInMails(/Subject: Your code is (\d{6})/);
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('That’s not the code.').waitFor();
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Start my application' }).waitFor();
});

test('on the page of a mail’s link the bank opens in place, and a reload changes nothing', async () => {
  const paying = await openOnPhone(await linkFor('hosted-4', 'redirect'));
  await apply(paying);
  await accept(paying);
  const link = await findInMails(/(http:\S+\/experience\/elm#link=svc_ml_\w+)/);
  const page = await openOnPhone(link);
  await page.evaluate('window.open = () => null');
  await page.getByRole('button', { name: 'Open my plan' }).click();
  await page.getByRole('button', { name: 'Change how you pay' }).click();
  await title(page, 'Confirm it’s you');
  await page.getByLabel('Date of birth').fill('04/12/1990');
  await page.getByLabel(/^Last four digits/).fill('0000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await title(page, 'How do you want to pay?');
  await page.reload();
  await page.getByRole('button', { name: 'Change how you pay' }).click();
  await page.getByRole('radio', { name: /^Bank account/ }).check({ force: true });
  await page.getByRole('button', { name: 'Platypus National Bank' }).click();
  await page.getByRole('button', { name: 'Everyday Checking' }).click();
  await page.getByRole('alert').getByText('You changed how you pay').waitFor();
  expect(await violationsOf(page)).toEqual([]);
});
