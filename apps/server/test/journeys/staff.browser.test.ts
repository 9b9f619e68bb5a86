import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../../scripts/test/axe.ts';
import { type OpenDemo, openDemo, signInAs } from './open-demo.ts';
import { type Office, openOffice } from './staff-office.ts';

let stage: OpenDemo;
let office: Office;
beforeAll(async () => {
  stage = await openDemo();
  office = await openOffice(stage, 'oak');
});
afterAll(async () => {
  await office?.close();
  await stage?.close();
});

interface Opened {
  readonly page: Page;
  /** Addresses and referrers of all requests, of the page and its frames. */
  readonly requests: string[];
}

interface OpenOptions {
  readonly settings?: Record<string, string>;
  readonly from?: string;
  readonly width?: number;
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

async function open({ settings, from, width = 1100, prepare }: OpenOptions = {}): Promise<Opened> {
  const page = await stage.browser.newPage({ viewport: { width, height: 900 } });
  page.setDefaultTimeout(15_000);
  const requests: string[] = [];
  page.on('request', (request) => {
    requests.push(request.url(), request.headers().referer ?? '');
  });
  await prepare?.(page);
  await page.goto(office.addressOf(settings, from));
  return { page, requests };
}

/** The frame of a view, by its title. */
const frameOf = (page: Page, title: string): FrameLocator =>
  page.frameLocator(`iframe[title="${title}"]`);
const settlements = (page: Page) => frameOf(page, 'Settlements');

const problemsOf = (page: Page) => page.evaluate(() => window.problems);
const askedOf = (page: Page) => page.evaluate(() => window.asked);

test('the three views show on a page of another site, without cookies, storage or a token in an address', async () => {
  const refused: string[] = [];
  const { page, requests } = await open({
    settings: { views: 'settlements,tenant_plan,webhooks' },
    prepare: async (page) => {
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(response.url());
      });
    },
  });
  await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
  await frameOf(page, 'Payment plan').getByRole('heading', { name: 'Plan' }).waitFor();
  await frameOf(page, 'Webhooks')
    .getByRole('link', { name: /\/hook/ })
    .waitFor();
  expect(await page.context().cookies()).toEqual([]);
  for (const frame of page.frames().slice(1)) {
    expect(frame.url()).toBe(`${office.serviceOrigin}/portal/frame/oak`);
    expect(await frame.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([
      0, 0,
    ]);
  }
  expect(requests.filter((text) => text.includes('svc_pt_'))).toEqual([]);
  expect(await askedOf(page)).toBe(3);
  expect(refused).toEqual([]);
  expect(await problemsOf(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
  await page.close();
});

test('a view has no way out of it: no navigation, no links to other pages, no writes', async () => {
  const { page } = await open({ settings: { views: 'settlements,tenant_plan' } });
  const frame = settlements(page);
  await frame.getByRole('link', { name: /t-1/ }).first().click();
  await frame.getByRole('heading', { name: 'Charges that it pays' }).waitFor();
  expect(await frame.getByRole('navigation').count()).toBe(0);
  expect(await frame.getByRole('link', { name: 't-1', exact: true }).count()).toBe(0);
  expect(await frame.getByRole('button', { name: /arrived|sent|failed/i }).count()).toBe(0);
  await frame.getByRole('link', { name: 'Settlements' }).click();
  await frame.getByRole('heading', { level: 1, name: 'Settlements' }).waitFor();
  expect(await frame.getByRole('button', { name: 'Account to debit' }).count()).toBe(0);
  const plan = frameOf(page, 'Payment plan');
  await plan.getByRole('heading', { name: 'Plan' }).waitFor();
  expect(await plan.getByRole('link').count()).toBe(0);
  expect(await plan.getByText('Scenario').count()).toBe(0);
  // The frames add nothing to the page's history.
  expect(await page.evaluate(() => history.length)).toBe(2);
  await page.close();
});

test('a page that asked for it reports the outcome of a settlement in the frame', async () => {
  const { page } = await open({ settings: { write: '1' } });
  const frame = settlements(page);
  await frame.getByRole('link', { name: /t-2/ }).first().click();
  await frame.locator('.settlement__actions button').first().click();
  const dialog = frame.getByRole('alertdialog');
  await dialog.waitFor();
  const box = await dialog.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 9999)).toBeLessThan(900);
  await dialog.getByRole('button', { name: /^Mark as/ }).click();
  await frame.getByText(/^The settlement is/).waitFor();
  await page.close();
});

test('the report of a day is saved without a cookie', async () => {
  const { page } = await open();
  await settlements(page).getByRole('button', { name: 'Daily report' }).click();
  const saving = page.waitForEvent('download');
  await settlements(page).getByRole('link', { name: 'Download CSV' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^settlements-.*\.csv$/);
  await page.close();
});

test('a token that ends in the middle of the page is replaced, and the page stays as it was', async () => {
  const { page } = await open();
  const frame = settlements(page);
  await frame.getByRole('link', { name: /t-1/ }).first().waitFor();
  await office.svc.revokeWebhookPortalSessions();
  await frame.getByRole('link', { name: /t-1/ }).first().click();
  await frame.getByRole('heading', { name: 'Charges that it pays' }).waitFor();
  expect(await askedOf(page)).toBe(2);
  expect(await problemsOf(page)).toEqual([]);
  await page.close();
});

test('a token is replaced a minute before it ends', async () => {
  const { page } = await open({ prepare: (page) => page.clock.install() });
  await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
  await page.clock.fastForward('13:30');
  expect(await askedOf(page)).toBe(1);
  await page.clock.fastForward('00:45');
  await page.waitForFunction(() => window.asked === 2);
  expect(await problemsOf(page)).toEqual([]);
  await page.close();
});

test.each([
  [
    'throws',
    () => Promise.reject(new Error('401 from the backend')),
    'token_failed',
    '401 from the',
  ],
  ['returns nothing', () => undefined, 'token_invalid', 'undefined instead of a token'],
  ['returns the whole answer', () => ({ token: 'svc_pt_x' }), 'token_invalid', 'an object instead'],
  ['returns an API key', () => 'svc_sandbox_1234', 'token_invalid', 'an API key'],
  ['returns a tenant token', () => 'svc_tt_1234', 'token_invalid', 'a tenant token'],
  [
    'returns an unknown token',
    () => `svc_pt_${'0'.repeat(43)}`,
    'token_refused',
    'refused a token',
  ],
])('a getToken that %s is a problem with a retry', async (_, getToken, code, text) => {
  const { page } = await open({ settings: { wait: '1' } });
  const right = await page.evaluateHandle(() => window.getToken);
  await page.evaluate(`window.getToken = ${getToken}; window.render({})`);
  await page.getByRole('alert').getByText(text).waitFor();
  expect(await problemsOf(page)).toEqual([code]);
  expect(await page.getByRole('alert').textContent()).not.toMatch(/svc_(pt|tt|sandbox)_\w/);
  await right.evaluate((getToken) => {
    window.getToken = getToken;
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.close();
});

test('a getToken that never answers is a problem after 30 seconds', async () => {
  const { page } = await open({
    settings: { wait: '1' },
    prepare: (page) => page.clock.install(),
  });
  await page.evaluate(() => {
    window.getToken = () => new Promise(() => {});
    window.render({});
  });
  await page.clock.runFor(31_000);
  await page.getByText('getToken has not answered within 30 seconds.').waitFor();
  expect(await problemsOf(page)).toEqual(['token_failed']);
  await page.close();
});

test.each([
  ['another tenant', { views: 'tenant_plan', token_tenant: 't-2' }, 'another tenant'],
  ['another view', { token_view: 'webhooks' }, 'the view webhooks'],
])('a token of %s is not shown', async (_, settings, text) => {
  const { page } = await open({ settings });
  await page.getByRole('alert').getByText(text).waitFor();
  expect(await problemsOf(page)).toEqual(['token_mismatch']);
  const shown = await page.frames()[1]?.evaluate(() => document.body.innerText);
  expect(shown?.trim()).toBe('');
  await page.close();
});

test.each([
  ['frame-src https://maps.example', 'https://maps.example '],
  ["default-src 'none'; script-src 'self'; connect-src 'self'", ''],
])('a page with the policy "%s" learns at once what it lacks', async (policy, sources) => {
  const { page } = await open({
    settings: { policy },
    // Time stands still, so the result cannot come from a timeout.
    prepare: (page) => page.clock.install({ time: 0 }).then(() => page.clock.pauseAt(1_000)),
  });
  const needs = `The policy needs "frame-src ${sources}${office.serviceOrigin}".`;
  await page.getByText(needs).waitFor();
  expect(await problemsOf(page)).toEqual(['frame_blocked']);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => problemsOf(page)).toEqual(['frame_blocked', 'frame_blocked']);
  await page.close();
});

test('a page of an origin that is not stored shows nothing', async () => {
  const { page } = await open({
    from: office.foreignOrigin,
    prepare: (page) => page.clock.install(),
  });
  await page.waitForFunction(() => window.asked === 1);
  await page.clock.runFor(26_000);
  await page.getByText(`allowed_origins contains ${office.foreignOrigin}`).waitFor();
  expect(await problemsOf(page)).toEqual(['frame_timeout']);
  await page.close();
});

test('another frame of the page gets no port and no token, and cannot give one', async () => {
  const { page } = await open({ settings: { wait: '1' } });
  await page.evaluate((stranger) => {
    const frame = document.createElement('iframe');
    frame.src = stranger;
    frame.name = 'stranger';
    document.body.append(frame);
    return new Promise((resolve) => frame.addEventListener('load', resolve));
  }, `${office.foreignOrigin}/?wait=1`);
  const stranger = page.frame({ name: 'stranger' });
  await stranger?.evaluate(() => {
    Object.assign(window, { ports: 0 });
    addEventListener('message', ({ ports }) => Object.assign(window, { ports: ports.length }));
    const say = () => {
      parent.postMessage({ svc: 1, type: 'hello', nonce: 'x'.repeat(22) }, '*');
      for (let index = 0; index < parent.frames.length; index += 1) {
        const { port2 } = new MessageChannel();
        const other = parent.frames[index];
        if (other === window) continue;
        other?.postMessage({ svc: 1, type: 'port', nonce: 'x'.repeat(22) }, '*', [port2]);
      }
    };
    setInterval(say, 5);
  });
  await page.evaluate(() => window.render({}));
  await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
  expect(await stranger?.evaluate('ports')).toBe(0);
  await page.close();
});

test('the view takes the theme and brand of the page, and follows it', async () => {
  const { page } = await open({ settings: { wait: '1' } });
  const look = () =>
    settlements(page)
      .locator('html')
      .evaluate((html) => [
        html.dataset.theme,
        html.style.getPropertyValue('--svc-brand-accent'),
        getComputedStyle(html).colorScheme,
      ]);
  await page.evaluate(() =>
    window.render({ appearance: { theme: 'dark', variables: { accent: '#7c3aed' } } }),
  );
  await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
  expect(await look()).toEqual(['dark', '#7c3aed', 'dark']);
  await page.evaluate(() => window.render({ appearance: { theme: 'light' } }));
  await expect.poll(look).toEqual(['light', '', 'light']);
  expect(await askedOf(page)).toBe(1);
  await page.close();
});

test('the height follows the content, on a phone too, and a long view scrolls in the frame', async () => {
  const { page } = await open({ settings: { views: 'tenant_plan' }, width: 390 });
  const plan = frameOf(page, 'Payment plan');
  await plan.getByRole('heading', { name: 'Plan' }).waitFor();
  const sizes = () =>
    plan.locator('html').evaluate((html) => ({
      frame: innerHeight,
      content: document.getElementById('root')?.offsetHeight ?? 0,
      isWider: html.scrollWidth > innerWidth,
    }));
  await expect.poll(async () => (await sizes()).frame).toBeGreaterThan(300);
  const { frame, content, isWider } = await sizes();
  expect(frame).toBe(Math.min(content, Math.floor(900 * 0.85)));
  expect(isWider).toBe(false);
  await page.close();
});

test('wrong props are a problem and no error of the page, and right ones show the view', async () => {
  const { page } = await open({ settings: { wait: '1' } });
  await page.evaluate(() => window.render({ pms: 'Not A Name' }));
  await page.getByRole('note').getByText('pms: "Not A Name" is not a portal name').waitFor();
  expect(await problemsOf(page)).toEqual(['invalid_settings']);
  expect(await askedOf(page)).toBe(0);
  await page.evaluate(() => window.render({}));
  await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
  expect(await page.getByRole('note').count()).toBe(0);
  await page.close();
});

/** A port that no one listens on. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test('the first steps of the docs work as printed, but for the ports', async () => {
  const repository = join(import.meta.dirname, '../../../..');
  const docs = await readFile(join(repository, 'docs/staff.md'), 'utf8');
  const port = await findFreePort();
  const own = `http://127.0.0.1:${port}`;
  // In the repository, where Node finds the package.
  await mkdir(join(repository, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(repository, '.cache/staff-'));
  for (const file of ['office.mjs', 'office.html']) {
    const [, code = ''] = new RegExp(`title="${file}"\\n([^]*?)\\n\`\`\``).exec(docs) ?? [];
    const local = code
      .replaceAll('http://localhost:4000', office.serviceOrigin)
      .replace('3000', String(port))
      .replace("'my-portal'", "'oak'");
    await writeFile(join(folder, file), local);
  }
  await office.svc.allowedOrigins.set([office.origin, own]);
  const child = spawn(process.execPath, ['office.mjs'], {
    cwd: folder,
    env: { ...process.env, SVC_API_KEY: office.apiKey },
    stdio: 'inherit',
  });
  try {
    const page = await stage.browser.newPage();
    const isUp = () =>
      page.goto(own).then(
        () => true,
        () => false,
      );
    await expect.poll(isUp, { timeout: 10_000 }).toBe(true);
    await settlements(page).getByRole('link', { name: /t-1/ }).first().waitFor();
    await page.close();
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

test('the demo has a back office with the settlements and a resident', async () => {
  const page = await stage.openPage();
  await signInAs(page, 'Ada Lane');
  await page.goto(`${stage.demo.origin}/office`);
  await settlements(page).getByRole('heading', { level: 1, name: 'Settlements' }).waitFor();
  await frameOf(page, 'Payment plan').getByRole('heading', { name: 'res-1042' }).waitFor();
  expect(stage.browserErrors).toEqual([]);
  await page.close();
});
