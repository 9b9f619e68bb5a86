import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Stage } from './fixture/stage.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('every first page loads at most 200 kB of compressed JavaScript', async () => {
  for (const path of [
    '/endpoints',
    '/messages/evt_01sample0002',
    '/testing',
    '/replays/new',
    '/activity',
    '/debugger',
    '/doctor',
    '/certify/new',
    '/certify/crt_01sample2',
    '/endpoints/ep_01sample1/verify',
  ]) {
    const page = await stage.open({ signedIn: false });
    await page.getByRole('heading', { name: 'You need a link' }).waitFor();
    await page.context().addCookies(await cookieOf(stage));
    const scripts = new Set<string>();
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) scripts.add(request.url());
    });
    await page.goto(`${stage.service.origin}/portal${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.context().close();
    let bytes = 0;
    for (const url of scripts) bytes += await compressedSize(url);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
  }
});

test('navigating between pages causes no layout shifts', async () => {
  const page = await stage.open({ path: '/messages' });
  await recordShifts(page);
  await page.reload();
  await page.locator('.message-row').nth(1).click();
  await page.getByText('database is locked').waitFor();
  for (const name of ['Event catalog', 'Testing', 'Replays', 'Activity', 'Endpoints']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  }
  await page.getByText('Resident ledger').waitFor();
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
  await page.context().close();
});

test('a message with 500 attempts renders fewer than 2,000 elements', async () => {
  const { attempts } = stage.service.state.partner;
  const [first] = attempts.filter(({ message_id }) => message_id === 'evt_01sample0004');
  if (!first) throw new Error('the sample message has no attempt');
  for (let number = 4; number <= 500; number += 1) {
    attempts.push({ ...first, id: `att_many${number}`, number, trigger: 'manual' });
  }
  const page = await stage.open({ path: '/messages/evt_01sample0004?external_id=t-103' });
  await page.getByText('481 to 500 of 500 attempts').waitFor();
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2000);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('461 to 480 of 500 attempts').waitFor();
  await page.context().close();
});

/** Fetches the script again, because the browser discards bodies after navigation. */
async function compressedSize(url: string): Promise<number> {
  const response = await fetch(url);
  return gzipSync(await response.arrayBuffer(), { level: 9 }).length;
}

async function cookieOf({ service }: Stage) {
  service.state.sessions.set('writer', { read_only: false });
  return [{ name: 'portal_session', value: 'writer', url: service.origin }];
}

async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as Shift[]) {
        const moved = sources.map(({ node }) => (node instanceof Element ? node.className : ''));
        shifts.push(`${value} ${moved.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

interface Shift {
  value: number;
  sources: { node: Node | null }[];
}
