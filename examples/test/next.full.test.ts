import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type FakeService, startService } from '../../packages/core/test/fixture/service.ts';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { everyBrowser } from '../../scripts/test/browsers/every-browser.ts';
import { Reader } from '../../scripts/test/browsers/reader.ts';
import { type TestBrowser, viewports } from '../../scripts/test/browsers/tab.ts';
import { buildNextExample, startNextCommand } from './build-next-example.ts';

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const { folder, notInstalled } = await buildNextExample();
if (notInstalled) console.warn(`The Next.js example is skipped: ${notInstalled}`);

let service: FakeService;
let browser: Browser;
let server: ChildProcess | undefined;
let origin: string;

beforeAll(async () => {
  if (notInstalled) return;
  service = await startService(answerBackend);
  browser = await chromium.launch(await chromiumLaunchOptions());
  origin = await startNext();
});
beforeEach(() => service?.reset());
afterAll(async () => {
  await browser?.close();
  if (server?.exitCode === null && server.kill()) await once(server, 'exit');
  await service?.close();
});

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SVC_API_KEY: 'svc_sandbox_example',
    SVC_PMS: 'maple',
    SVC_BASE_URL: `${service.origin}/v1`,
    SVC_WEBHOOK_SECRET: webhookSecret,
  };
}

function startNext(): Promise<string> {
  const [program = '', ...args] = startNextCommand(0);
  server = spawn(program, args, {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = server;
  let printed = '';
  return new Promise((resolve, reject) => {
    stdout?.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (address) resolve(address);
    });
    server?.on('exit', () => reject(new Error(`Next.js did not start: ${printed}`)));
  });
}

/** The calls of the example's backend to the service. */
function answerBackend({ method, url }: IncomingMessage, response: ServerResponse): void {
  const isPortalInfo = method === 'POST' && url === '/v1/tenant/portal_info/t-100';
  response.writeHead(isPortalInfo ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: null, data: { token: 'svc_tt_example' } }));
}

describe.skipIf(notInstalled !== undefined)('the Next.js example', () => {
  test('the server renders the reserved space, and no inline style', async () => {
    const response = await fetch(origin);
    const policy = response.headers.get('content-security-policy') ?? '';
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(nonce).toBeTruthy();
    const html = await response.text();
    expect(html).toContain('height="250"');
    expect(html).not.toMatch(/<[^>]+ style=/);
    const again = await fetch(origin);
    expect(again.headers.get('content-security-policy')).not.toContain(nonce);
  });

  test('under its policy the page hydrates without a violation or a shift, and a click opens the experience', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.addInitScript(`
      window.violations = []; window.shifts = 0;
      addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) shifts += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });`);
    // The scripts come only after the server's HTML is painted.
    let release = () => {};
    const painted = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/_next/static/**/*.js', async (route) => {
      await painted;
      await route.continue();
    });
    await page.goto(origin, { waitUntil: 'commit' });
    const below = page.locator('#below');
    await below.waitFor();
    const before = await below.boundingBox();
    release();
    await page.getByText('$1,520.12').waitFor();
    await expect.poll(() => service.widgetBodies).toHaveLength(1);
    expect(await below.boundingBox()).toEqual(before);
    expect(await page.evaluate('shifts')).toBe(0);
    await page.getByRole('button', { name: 'See my options' }).click();
    await page.locator('dialog iframe:not([inert])').waitFor();
    const frame = page.frames().find((it) => it.url().includes('/experience/maple'));
    const tokens = await frame?.evaluate(() => window.received.map(({ token }) => token));
    expect(tokens?.filter(Boolean)).toEqual(['svc_tt_example']);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(await page.evaluate('violations')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  // Chromium is in the other tests.
  test.for(everyBrowser.filter(({ start, opensTabs }) => start && opensTabs))(
    'in $name a click opens the experience with a token of the backend',
    async ({ start }) => {
      const other = await (start as () => Promise<TestBrowser>)();
      onTestFinished(() => other.close());
      const tab = await other.open(origin, viewports.desktop);
      await new Reader(tab).press('See my options');
      const tokens = () =>
        tab.evaluate<string[]>('received.flatMap(({ token }) => token ?? [])', '/experience/maple');
      await expect.poll(tokens).toEqual(['svc_tt_example']);
    },
  );

  test('back goes a step back, closes the experience, and then returns to the page before', async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/start`);
    await page.evaluate('window.isFirstDocument = true');
    await page.getByRole('link', { name: 'Pay rent' }).click();
    await page.getByRole('button', { name: 'See my options' }).click();
    await page.locator('dialog iframe:not([inert])').waitFor();
    const frame = page.frames().find((it) => it.url().includes('/experience/maple'));
    if (!frame) throw new Error('The experience has no frame.');
    // The page logs each event: it has the frame's messages before this one, too.
    const setCanGoBack = async (value: boolean) => {
      const logged = page.waitForEvent('console', (it) => it.text().startsWith('USER_APPROVED'));
      await frame.evaluate((value) => {
        window.say({ type: 'can_go_back', value });
        window.say({ type: 'event', event: { type: 'USER_APPROVED', data: {} } });
      }, value);
      await logged;
    };
    await setCanGoBack(true);
    await page.goBack();
    const received = () => frame.evaluate(() => window.received.map(({ type }) => type));
    await expect.poll(received).toContain('back');
    expect(await page.locator('dialog[open]').count()).toBe(1);
    await frame.evaluate(() => window.say({ type: 'close', reason: 'dismissed' }));
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'See my options' }).click();
    await page.locator('dialog iframe:not([inert])').waitFor();
    // The frame was kept. The experience reports that it is on its first screen again.
    await setCanGoBack(false);
    await expect.poll(() => page.evaluate('history.state?.svcGuards?.length')).toBe(1);
    await page.goBack();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${origin}/`);
    await page.goBack();
    await page.getByRole('link', { name: 'Pay rent' }).waitFor();
    expect(page.url()).toBe(`${origin}/start`);
    // Next.js rendered each page itself: nothing was loaded again.
    expect(await page.evaluate('window.isFirstDocument')).toBe(true);
    await page.close();
  });

  test('the webhook route takes a signed event and refuses any other', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'plan.created', data: {} });
    const timestamp = Math.floor(Date.now() / 1000);
    const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key)
      .update(`evt_1.${timestamp}.${body}`)
      .digest('base64');
    const send = (sent: string) =>
      fetch(`${origin}/api/svc/webhooks`, {
        method: 'POST',
        body: sent,
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(timestamp),
          'webhook-signature': `v1,${signature}`,
        },
      });
    expect((await send(body)).status).toBe(204);
    expect((await send(body.replace('created', 'canceled'))).status).toBe(400);
  });
});
