import { readFile } from 'node:fs/promises';
import { pageCaseNames, serviceCaseNames } from '@svc/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ago } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();
/** A run that was stopped before the case `reordered`. */
const stopped = '/certify/crt_01sample4';
const completedCount = serviceCaseNames.indexOf('reordered');
const caseCount = serviceCaseNames.length;
const allHaveRun = `${caseCount} of ${caseCount} cases have run`;

/** The names of the cases that the page has asked the service to run. */
function casesRun(): string[] {
  return stage.service.writes().flatMap(({ call }) => /\/cases\/(\w+)$/.exec(call)?.[1] ?? []);
}

/** Holds the responses of one case back until the returned function is called. */
async function hold(page: Page, name: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/cases/${name}`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

function caseRow(page: Page, name: string) {
  return page.locator('.case', { has: page.getByText(name, { exact: true }) });
}

test('a run is started, goes through every case of the service, and names the mistake', async () => {
  stage.service.state.partner.certifications.shift();
  const page = await stage.open({ path: '/certify' });
  await page.getByRole('link', { name: 'New run' }).click();
  await page.getByText('it gets nothing else').waitFor();
  // The form starts with the tenant query of the last run.
  expect(await page.getByLabel('Tenant query').inputValue()).toBe(
    'https://maple.example/svc/tenant',
  );
  expect(await page.getByRole('option', { name: /old\.maple/ }).isDisabled()).toBe(true);
  await page.getByLabel('Endpoint').selectOption('ep_01sample1');
  await page.getByLabel('Tenant query').fill('not an address');
  await page.getByLabel('Association dues').check();
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.getByText('must be an http(s) URL').waitFor();
  await page.getByLabel('Tenant query').fill(' https://plans.maple.example/tenant ');
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.getByText('1 case failed').waitFor();
  expect(casesRun()).toEqual(serviceCaseNames);
  expect(
    stage.service.writes().findLast(({ call }) => call === 'POST /certifications')?.body,
  ).toEqual({
    endpoint_id: 'ep_01sample1',
    tenant_query_url: 'https://plans.maple.example/tenant',
    product_variant: 'hoa',
  });
  await page.getByText(allHaveRun).waitFor();
  const duplicates = caseRow(page, 'duplicates');
  await duplicates.getByText('You debited the settlement twice').waitFor();
  await duplicates.getByText('does not store the webhook-id').waitFor();
  await duplicates.getByText('Store each webhook-id with its effect').waitFor();
  const docs = duplicates.getByRole('link', { name: 'Docs' });
  expect(await docs.getAttribute('href')).toBe('/docs/webhooks#a-receiver');
  await duplicates.getByText('settlement.created, a second time').click();
  const request = duplicates.getByRole('region', { name: 'Request body, step 2 of duplicates' });
  await request.first().getByText('evt_01sample0002').waitFor();
  // A case that passed is collapsed, and so are every case's steps.
  expect(await caseRow(page, 'burst').getByText('It did what it should.').count()).toBe(0);
  await duplicates.getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => casesRun().at(-1)).toBe('duplicates');
  expect(casesRun()).toHaveLength(serviceCaseNames.length + 1);
  await page.context().close();
});

test('the cases of the page are left to the CLI, with the command; a finished run has its report', async () => {
  const page = await stage.open({ path: stopped });
  await caseRow(page, 'widget_shown').getByText('Run by the CLI').waitFor();
  await page.getByRole('button', { name: 'Copy Run these with the CLI' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
    "svc certify --resume crt_01sample4 \\\n  --page 'https://maple.example/rent'",
  );
  await page.getByRole('button', { name: 'Finish and sign' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog
    .getByText(`${caseCount - completedCount} cases of your receiver did not run`)
    .waitFor();
  await dialog.getByText(`${pageCaseNames.length} cases of your page did not run`).waitFor();
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Finish and sign' }).click();
  await dialog.getByRole('button', { name: 'Finish and sign' }).click();
  await page.getByText('were not run or could not be judged').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('certify.json');
  const report = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(report).toMatchObject({ id: 'crt_01sample4', signed_report: { signature: 'c2lnbmVk' } });
  await page.context().close();
});

test('a run stops between two cases, and continues where it stopped, also after a reload', async () => {
  const page = await stage.open({ path: stopped });
  const release = await hold(page, 'reordered');
  await page.getByText('The last step was').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Now: The order of webhooks does not matter').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Stopping after this case' }).waitFor();
  release();
  await page.getByText('No case is running in this tab').waitFor();
  expect(casesRun()).toEqual(['reordered']);
  await page.reload();
  await page.getByText(`${completedCount + 1} of ${caseCount} cases have run`).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(allHaveRun).waitFor();
  expect(casesRun()).toEqual(serviceCaseNames.slice(completedCount));
  await page.context().close();
});

test('cases go on while another page of the console is open', async () => {
  const page = await stage.open({ path: stopped });
  const release = await hold(page, 'late');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Now: Late').waitFor();
  await page.getByRole('link', { name: 'Doctor' }).click();
  await page.getByRole('heading', { name: 'Doctor', level: 1 }).waitFor();
  release();
  await expect.poll(() => casesRun().length).toBe(caseCount - completedCount);
  await page.goBack();
  await page.getByText(allHaveRun).waitFor();
  await page.context().close();
});

test('a lost connection, an ended session and a disabled endpoint are answered with what to do', async () => {
  const { faults, state } = stage.service;
  const page = await stage.open({ path: stopped });
  const call = 'POST /certifications/crt_01sample4/cases/reordered';
  faults.set(call, 'drop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This case could not be run: The order of webhooks').waitFor();
  await page.getByText('Check your connection').waitFor();
  faults.clear();
  const [ledger] = state.partner.endpoints;
  Object.assign(ledger ?? {}, { state: 'disabled' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The endpoint was disabled, changed or deleted').waitFor();
  Object.assign(ledger ?? {}, { state: 'enabled' });
  // A browser itself repeats a request whose connection was dropped.
  expect(new Set(casesRun())).toEqual(new Set(['reordered']));
  state.sessions.clear();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Nothing was lost').waitFor();
  await page.context().close();
});

test('a second tab follows a run whose cases begin elsewhere, and can continue it', async () => {
  const { state } = stage.service;
  const [run] = state.partner.certifications;
  if (!run) throw new Error('the fixture has no run');
  const page = await stage.open({ path: stopped });
  let seconds = 100;
  await page.route('**/cases/reordered', async (route) => {
    // Another tab has begun one more case.
    seconds -= 10;
    run.last_step_at = ago(seconds);
    const error = { code: 'certification_running', message: 'The case burst is running.' };
    await route.fulfill({ status: 409, json: { error, data: null } });
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('running in another tab, or in svc certify').waitFor();
  const reordered = run.cases.find(({ name }) => name === 'reordered');
  Object.assign(reordered ?? {}, { status: 'pass', summary: 'Seen elsewhere.', ran_at: ago(0) });
  await page.getByText(`${completedCount + 1} of ${caseCount} cases have run`).waitFor();
  await page.unroute('**/cases/reordered');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(allHaveRun).waitFor();
  await page.context().close();
});

test('a failed handshake ends the run there, and runs again first', async () => {
  stage.service.state.partner.certifications.length = 0;
  const page = await stage.open({ path: '/certify/new' });
  await page.getByLabel('Endpoint').selectOption('ep_01sample2');
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.getByText('Nothing else is sent before').waitFor();
  await page.getByText('It accepted a forged webhook.').waitFor();
  expect(casesRun()).toEqual(['handshake']);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(casesRun).toEqual(['handshake', 'handshake']);
  await page.context().close();
});

test('another run that is not finished, and too many runs in an hour', async () => {
  const { faults } = stage.service;
  const page = await stage.open({ path: '/certify/new' });
  await page.getByText('Your last run is not finished').waitFor();
  await page.getByText('A new run takes its place').waitFor();
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.getByText('Another run is not finished').waitFor();
  faults.set('POST /certifications', 'rate_limited');
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.getByText('Too many').waitFor();
  await page.getByRole('link', { name: 'Go to the run' }).click();
  await page.getByText(`${completedCount} of ${caseCount} cases have run`).waitFor();
  await page.context().close();
});

test('a read-only session sees the runs and changes nothing', async () => {
  const page = await stage.open({ path: '/certify', readOnly: true });
  await page.locator('.run-row').first().waitFor();
  expect(await page.getByRole('link', { name: 'New run' }).count()).toBe(0);
  await page.locator('.run-row').first().click();
  await page.getByText('Your session is read-only').waitFor();
  for (const name of ['Continue', 'Finish and sign', 'Run again']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
  await page.goto(`${stage.service.origin}/portal/certify/new`);
  await page.getByText('but not start a run').waitFor();
  await page.context().close();
});

test('in production the page says why it has nothing', async () => {
  stage.service.state.environment = 'production';
  const page = await stage.open({ path: '/certify' });
  await page.getByText('Certify runs in the sandbox only').waitFor();
  expect(stage.service.calls.some(({ call }) => call.includes('certifications'))).toBe(false);
  await page.context().close();
});

test('keyboard only: from the list to a run, a case and its steps, and back', async () => {
  const page = await stage.open({ path: '/doctor' });
  await page.getByText('of 10 done').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.locator('.run-row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText(`${completedCount} of ${caseCount} cases have run`).waitFor();
  const burst = caseRow(page, 'burst').locator('summary');
  await burst.focus();
  await page.keyboard.press('Enter');
  await page.getByText('It did what it should.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Certify', level: 1 }).waitFor();
  await page.context().close();
});
