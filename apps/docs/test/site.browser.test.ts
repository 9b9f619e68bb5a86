import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumLaunchOptions } from '../../../scripts/chromium.mjs';
import { violationsOf } from '../../../scripts/test/axe.ts';

// The built site on a plain static host, under the service's policy.

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'";

const host = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
  const file = [path, `${path}.html`, `${path}/index.html`]
    .map((name) => join(dist, name))
    .find((name) => extname(name) !== '' && existsSync(name));
  if (file === undefined) return response.writeHead(404).end();
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'text/plain',
    'content-security-policy': policy,
  });
  return response.end(readFileSync(file));
});

let browser: Browser;
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    host.listen(0, '127.0.0.1', () => resolve());
  });
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  browser = await chromium.launch(await chromiumLaunchOptions());
});
afterAll(async () => {
  await browser?.close();
  await new Promise((resolve) => {
    host.close(resolve);
  });
});

/** Opens a page and collects what the browser complains about, such as violations of the policy. */
async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(origin + path);
  return { page, complaints, close: () => context.close() };
}

const wide = { width: 1280, height: 900 };
const narrow = { width: 390, height: 844 };

test.each([
  ['/docs', wide, 'light'],
  ['/docs/backend', narrow, 'dark'],
  ['/docs/errors', wide, 'dark'],
  ['/docs/webhooks', narrow, 'light'],
  ['/docs/api', wide, 'light'],
] as const)(
  '%s at %o in %s has no violation of axe or of the policy',
  async (path, viewport, colorScheme) => {
    const { page, complaints, close } = await open(path, { viewport, colorScheme });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBe(0);
    // The operations of the API share one template, and so do its objects. All take axe more than a minute.
    await page.evaluate(() => {
      for (const template of ['.operation', '.object']) {
        const parts = Array.from(document.querySelectorAll(template));
        for (const [index, part] of parts.entries()) if (index % 10 > 0) part.remove();
      }
    });
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('search finds an error code by a part of its name and opens it with the keyboard', async () => {
  const { page, complaints, close } = await open('/docs', { viewport: wide });
  await page.keyboard.press('/');
  const input = page.getByRole('combobox', { name: 'Search the docs' });
  await input.fill('idempotency reused');
  const first = page.getByRole('option').first();
  await expect.poll(() => first.textContent()).toContain('idempotency_key_reused');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/errors#idempotency_key_reused');
  expect(complaints).toEqual([]);
  await close();
});

test('a chosen language holds on the next page, and an address can choose one', async () => {
  const { page, close } = await open('/docs/backend', { viewport: wide });
  const selected = (at: Page) =>
    at
      .locator('[role=tab][aria-selected=true]')
      .evaluateAll((tabs) => tabs.map((tab) => tab.textContent));
  expect(new Set(await selected(page))).toEqual(new Set(['Node.js']));
  await page.getByRole('tab', { name: 'Go' }).first().click();
  expect(new Set(await selected(page))).toEqual(new Set(['Go']));
  await page.reload();
  expect(new Set(await selected(page))).toEqual(new Set(['Go']));
  await page.goto(`${origin}/docs/backend?lang=php`);
  expect(new Set(await selected(page))).toEqual(new Set(['PHP']));
  await close();
});

test('the theme follows the system until the reader chooses another, also after a reload', async () => {
  const { page, close } = await open('/docs', { viewport: wide, colorScheme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  expect(await ground()).toBe(light);
  await page.reload();
  expect(await ground()).toBe(light);
  await close();
});

test('without JavaScript all text, all tabs and the menu are there', async () => {
  const { page, close } = await open('/docs/backend', {
    viewport: narrow,
    javaScriptEnabled: false,
  });
  expect(await page.locator('.tab-title:visible').allTextContents()).toContain('Python');
  expect(await page.locator('.tab:visible').count()).toBe(await page.locator('.tab').count());
  expect(await page.locator('.search-button').isVisible()).toBe(false);
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  expect(await menu.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  expect(await menu.isVisible()).toBe(true);
  await close();
});

test('the first Tab reaches the link to the content, and code can be copied', async () => {
  const { page, close } = await open('/docs/errors', {
    viewport: wide,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toContain('"code": "validation_failed"');
  await page.getByRole('button', { name: 'Copy page' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^# Errors\n/);
  await close();
});
