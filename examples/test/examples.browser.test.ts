import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type FakeService, startService } from '../../packages/core/test/fixture/service.ts';
import { bundleSdk } from '../../packages/core/test/fixture/stage.ts';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { startExample } from './start-example.ts';

let service: FakeService;
let browser: Browser;
let script: string;

beforeAll(async () => {
  [service, browser, script] = await Promise.all([
    startService(answer),
    chromiumLaunchOptions().then((options) => chromium.launch(options)),
    bundleSdk('iife'),
  ]);
});
beforeEach(() => service.reset());
afterAll(() => Promise.all([browser.close(), service.close()]));

/** Answers the requests of the examples' backends. The fake service answers those of the widget. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const answers: Record<string, [type: string, body: string]> = {
    'POST /v1/tenant/portal_info/t-100': [
      'application/json',
      JSON.stringify({ error: null, data: { token: 'svc_tt_example' } }),
    ],
    'GET /sdk/release.json': [
      'application/json',
      JSON.stringify({ files: { 'svc.iife.js': { path: '/sdk/1/svc.iife.js', integrity } } }),
    ],
    'GET /sdk/1/svc.iife.js': ['text/javascript', script],
  };
  const [type, body] = answers[`${request.method} ${request.url}`] ?? [];
  response.setHeader('access-control-allow-origin', '*');
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' });
  response.end(body);
}

async function openPage(address: string): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(address);
  return { page, faults };
}

test.for(['plain-html', 'react-vite', 'server-rendered'])(
  '%s shows the balance, and a click opens the experience with a token of the backend',
  async (name) => {
    const example = await startExample(name, {
      baseUrl: `${service.origin}/v1`,
      apiKey: 'svc_sandbox_example',
      pms: 'maple',
    });
    onTestFinished(example.stop);
    const { page, faults } = await openPage(example.address);
    await page.getByText('$1,520.12').waitFor();
    await expect
      .poll(() => service.widgetBodies)
      .toMatchObject([
        { pms: 'maple', external_id: 't-100', signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ]);
    await page.getByRole('button', { name: 'See my options' }).click();
    await page.locator('dialog iframe:not([inert])').waitFor();
    const frame = page.frames().find((it) => it.url().includes('/experience/maple'));
    const tokens = await frame?.evaluate(() => window.received.map(({ token }) => token));
    expect(tokens?.filter(Boolean)).toEqual(['svc_tt_example']);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await page.close();
  },
);
