import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();
const callsOf = (name: string) => stage.service.calls.filter(({ call }) => call === name);
const bodiesOf = (command: string) =>
  callsOf(`POST /commands/${command}`).map(({ body }) => body as Record<string, unknown>);

const file = {
  name: 'operating.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('account,currency,date,kind,amount,reference,description\n'),
};

async function fillAndRun(page: Page, button: string): Promise<void> {
  await page.getByLabel('Reason').fill('Checked with the bank');
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('button', { name: 'Preview' });
  if (await preview.isVisible()) {
    await preview.click();
    await page.getByText('If you go ahead').waitFor();
  }
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

test('a day is closed: statement, difference match, undo, close', async () => {
  const page = await stage.open({ path: '/money/days' });
  await page.getByRole('button', { name: 'Import a statement…' }).click();
  await page.getByLabel('Account', { exact: true }).selectOption('operating');
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported 1 statement of operating').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(callsOf('POST /books/statements')[0]?.body).toBe(file.buffer.toString());

  await page.getByRole('link', { name: /Nov 25/ }).click();
  await page.getByRole('heading', { name: 'Wed, Nov 25, 2026' }).waitFor();
  await page.getByRole('checkbox').first().check();
  await page.getByRole('checkbox').nth(1).check();
  await page.getByText('differ by −$293.00').waitFor();
  const selected = page.getByRole('region', { name: 'Selected items' });
  await selected.getByRole('button', { name: 'Match, post −$293.00…' }).click();
  await page
    .getByLabel('Account', { exact: true })
    .selectOption({ label: '5100 Fees of processors and banks' });
  await fillAndRun(page, 'Match');
  await page.locator('.svc-toast').getByText('Matched 2 items').waitFor();
  await selected.waitFor({ state: 'detached' });
  const items = 'bln_01sample1,trf_01sample1/cash';
  // The service refuses a portal when an entry already belongs to a partner's books.
  expect(bodiesOf('books-match').at(-1)).toEqual({
    input: { items, account: 'processing_cost' },
    reason: 'Checked with the bank',
    idempotency_key: expect.any(String),
  });

  await page.getByRole('button', { name: 'Undo…' }).first().click();
  await fillAndRun(page, 'Undo a match');
  await page.locator('.svc-toast').getByText('items are open again').waitFor();
  expect(bodiesOf('books-unmatch').at(-1)).toMatchObject({ input: { match_id: 'bmt_01sample1' } });

  await page.getByRole('button', { name: 'Close the day…' }).click();
  await fillAndRun(page, 'Close the day');
  await page.getByText('as seal 212').waitFor();
  expect(bodiesOf('books-close')).toEqual([
    { input: { day: '2026-11-25' }, reason: 'Checked with the bank' },
  ]);
  await page.context().close();
});

test('a statement that was corrected after it was chosen has to be chosen again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-statement-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'operating.csv');
  await writeFile(path, 'date,amount\n');
  const page = await stage.open({ path: '/money/days' });
  await page.getByRole('button', { name: 'Import a statement…' }).click();
  await page.getByLabel('Account', { exact: true }).selectOption('operating');
  await page.getByLabel('File').setInputFiles(path);
  await writeFile(path, file.buffer);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('The file has changed since you chose it.').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await page.getByLabel('File').click();
  await (await choosing).setFiles(path);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported 1 statement of operating').waitFor();
  await page.context().close();
});

test('an exception is assigned to somebody', async () => {
  const page = await stage.open({ path: '/money/days/2026-11-25' });
  await page.getByRole('button', { name: 'Explain' }).first().click();
  await page.getByRole('menuitem', { name: 'Assign to somebody…' }).click();
  await page.getByLabel('Owner').fill('Grace Hall');
  await fillAndRun(page, 'Assign it');
  await page.locator('.svc-toast').getByText('Done.').waitFor();
  expect(bodiesOf('books-assign')).toEqual([
    { input: { item: 'bln_01sample1', owner: 'Grace Hall' }, reason: 'Checked with the bank' },
  ]);
  await page.context().close();
});

test('a replaced statement is previewed, and sent with the reason', async () => {
  const page = await stage.open({ path: '/money/days/2026-11-25' });
  await page.getByRole('button', { name: 'Replace…' }).first().click();
  await page.getByLabel('File').setInputFiles(file);
  await fillAndRun(page, 'Replace');
  await page.getByRole('dialog', { name: 'Done' }).waitFor();
  expect(callsOf('POST /books/statements/replace')).toHaveLength(2);
  await page.context().close();
});

test('a refused file says why, and keeps what was chosen', async () => {
  stage.service.faults.set('POST /books/statements', 'validation_failed');
  const page = await stage.open({ path: '/money/days' });
  await page.getByRole('button', { name: 'Import a statement…' }).click();
  await page.getByLabel('Account', { exact: true }).selectOption('operating');
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('alert').getByText('Line 3: the amount').waitFor();
  expect(await page.getByLabel('Account', { exact: true }).inputValue()).toBe('operating');
  await page.context().close();
});

test('a closed day offers nothing but to be reopened', async () => {
  const page = await stage.open({ path: '/money/days/2026-11-24' });
  await page.getByText('Everything until this day is matched').waitFor();
  expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Reopen…' }).waitFor();
  expect(await page.getByRole('button', { name: /Import|Replace|Close the day/ }).count()).toBe(0);
  await page.context().close();
});

test('the trial balance keeps its day in the address, and leads to the payment', async () => {
  const page = await stage.open({ path: '/money/balance' });
  await page.getByLabel('At the end of').fill('2026-10-31');
  await page.getByText('Oct 31, 2026').waitFor();
  expect(new URL(page.url()).search).toBe('?as_of=2026-10-31');
  await page.getByRole('link', { name: /Receivable from tenants/ }).click();
  await page.getByText('pay_01sample2').waitFor();
  expect(new URL(page.url()).search).toBe('?to=2026-10-31');
  await page.getByRole('link', { name: /pay_01sample2/ }).click();
  await page.getByRole('heading', { name: 'Ada Lane' }).waitFor();
  await page.context().close();
});

test('pages are reached with two keys', async () => {
  const page = await stage.open();
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const [key, heading] of [
    ['d', 'Days'],
    ['b', 'Trial balance'],
    ['p', 'Payouts'],
    ['f', 'ACH files'],
    ['r', 'Reports'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await page.context().close();
});

test('people who are limited to some portals see payouts and reports, and not the books', async () => {
  stage.service.state.partners = ['maple'];
  stage.service.state.hasFiles = false;
  const page = await stage.open({ path: '/money/payouts' });
  await page.getByText('To be sent').waitFor();
  const links = await page.getByRole('group', { name: 'Money' }).getByRole('link').allInnerTexts();
  expect(links.map((text) => text.trim().split('\n')[0])).toEqual(['Payouts', 'Reports']);
  await page.context().close();
});

test('an auditor reads the books, and is offered no action', async () => {
  const page = await stage.open({ path: '/money/days/2026-11-25', role: 'auditor' });
  await page.getByText('MONTHLY SERVICE CHARGE').waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
  expect(buttons).toEqual([]);
  await page.context().close();
});

test('a report is a table, and a file', async () => {
  const page = await stage.open({ path: '/money/reports?report=portfolio' });
  await page.getByRole('cell', { name: 'Nov 2026' }).waitFor();
  const link = page.getByRole('link', { name: 'CSV' });
  expect(await link.getAttribute('href')).toBe('/operator/v1/reports/portfolio.csv');
  await page.context().close();
});
