import type { PageCaseName } from '@svc/contract';
import { SvcClient } from '@svc/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Browser,
  launchBrowser,
} from '../../../../packages/cli/src/certify/browser/launch-browser.ts';
import type { PageResult } from '../../../../packages/cli/src/certify/page/page-case.ts';
import {
  findServiceOrigin,
  pageCases,
  runPageCase,
} from '../../../../packages/cli/src/certify/page/run-page-cases.ts';
import { chromiumLaunchOptions } from '../../../../scripts/chromium.mjs';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { startStage } from '../journeys/open-demo.ts';
import { type PageFaults, startPage } from './start-page.ts';

let stage: Awaited<ReturnType<typeof startStage>>;
let page: Awaited<ReturnType<typeof startPage>>;
let browser: Browser;
let apiKey: string;
let service: string;
beforeAll(async () => {
  stage = await startStage();
  service = stage.service.listeningAt;
  apiKey = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'certified', name: 'Certified Residents' }),
  );
  page = await startPage({ service, apiKey, pms: 'certified' });
  const { executablePath = '', env } = await chromiumLaunchOptions();
  browser = await launchBrowser(executablePath, { variables: { ...process.env, ...env } });
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
  await stage?.close();
});
beforeEach(() => {
  page.faults = {};
});

async function run(
  name: PageCaseName,
  cookies: { name: string; value: string }[] = [],
  pageUrl = page.url,
  usedBrowser = browser,
): Promise<PageResult> {
  const svc = new SvcClient({ apiKey, baseUrl: `${service}/v1` });
  return runPageCase(name, {
    browser: usedBrowser,
    pageUrl,
    serviceOrigin: service,
    apiKey,
    cookies,
    mayReset: (externalId) => externalId !== 't-kept',
    async resetTenant(externalId) {
      await svc.simulation.reset(externalId).catch((error) => {
        if (error.code !== 'tenant_not_found') throw error;
      });
    },
  });
}

test.each(Object.keys(pageCases) as PageCaseName[])('a correct page passes %s', async (name) => {
  const result = await run(name);
  expect(result).toMatchObject({ name, status: 'pass' });
});

const sdkOnly = (service: string) =>
  `default-src 'self' 'unsafe-inline'; script-src 'unsafe-inline' ${service}; img-src data:; connect-src 'self' ${service}`;

interface Fault {
  readonly name: string;
  readonly of: PageCaseName;
  readonly faults: (service: string, apiKey: string) => PageFaults;
  readonly status?: 'warn' | 'fail';
  readonly cause: RegExp;
  readonly summary?: RegExp;
}

const faults: readonly Fault[] = [
  {
    name: 'an address that leads nowhere',
    of: 'widget_shown',
    faults: () => ({ status: 404, instead: '<h1>Not found</h1>' }),
    cause: /does not lead to the page/,
  },
  {
    name: 'a page that wants a sign-in',
    of: 'widget_shown',
    faults: () => ({ redirectTo: '/sign-in' }),
    cause: /redirects, most likely to a sign-in/,
  },
  {
    name: 'a page that has the widget in a frame',
    of: 'widget_shown',
    faults: () => ({ instead: '<h1>Your home</h1><iframe src="/rent"></iframe>' }),
    cause: /in a frame of this page/,
  },
  {
    name: 'a script that fails',
    of: 'widget_shown',
    faults: () => ({ settings: 'pms: undefined' }),
    cause: /keeps your page from creating the widget/,
    summary: /SvcError: pms/,
  },
  {
    name: 'a policy without the SDK’s scripts',
    of: 'widget_shown',
    faults: () => ({ csp: "script-src 'self' 'unsafe-inline'" }),
    cause: /script-src does not contain the service/,
  },
  {
    name: 'a hidden container',
    of: 'widget_shown',
    faults: () => ({ slot: 'display: none' }),
    cause: /container is hidden/,
  },
  {
    name: 'a container that is too low',
    of: 'sizes',
    faults: () => ({ slot: 'height: 120px; overflow: hidden' }),
    cause: /height of the container #rent is too small/,
    summary: /560 × 120 px .* on a desktop/,
  },
  {
    name: 'a container that is too narrow on a phone',
    of: 'sizes',
    faults: () => ({ slot: 'margin: 0 60px; min-height: 250px' }),
    cause: /container #rent is too narrow/,
    summary: /on a phone/,
  },
  {
    name: 'a policy without the frame',
    of: 'csp',
    faults: (service) => ({ csp: sdkOnly(service) }),
    cause: /no frame-src, so its default-src applies/,
  },
  {
    name: 'a frame-src for others',
    of: 'csp',
    faults: (service) => ({ csp: `${sdkOnly(service)}; frame-src https://maps.example` }),
    cause: /frame-src does not contain the service/,
  },
  {
    name: 'a signature for another tenant',
    of: 'signature',
    faults: () => ({ signed: 't-999' }),
    cause: /another signature than the service/,
  },
  {
    name: 'a callback that returns nothing',
    of: 'click_to_done',
    faults: () => ({ click: '' }),
    cause: /returns no token and opens nothing/,
  },
  {
    name: 'a backend that fails',
    of: 'click_to_done',
    faults: () => ({ token: { status: 500, body: {} } }),
    cause: /gets the token from your backend/,
    summary: /POST http.*\/token answered 500/,
  },
  {
    name: 'a token that the service does not know',
    of: 'double_click',
    faults: () => ({ token: { status: 200, body: { token: 'svc_tt_unknown' } } }),
    cause: /token that is not fresh/,
  },
  {
    name: 'a page that keeps the focus',
    of: 'keyboard_only',
    faults: () => ({
      body: `<input id="search" aria-label="Search"><script>
        addEventListener('keydown', (event) => event.key === 'Tab' && event.preventDefault());
        document.getElementById('search').focus();
      </script>`,
    }),
    cause: /keeps the focus: input/,
  },
  {
    name: 'a widget that Tab skips',
    of: 'keyboard_only',
    faults: () => ({ script: "document.getElementById('rent').inert = true;" }),
    cause: /inert, hidden, or skipped/,
  },
  {
    name: 'a script in the head that the page waits for',
    of: 'service_slow',
    faults: () => ({ blocksOnSdk: true }),
    cause: /keeps the browser from drawing/,
  },
  {
    name: 'a container without a fallback',
    of: 'service_down',
    status: 'warn',
    faults: () => ({ fallback: '' }),
    cause: /#rent has no fallback/,
  },
  {
    name: 'a page that is drawn by its script',
    of: 'service_down',
    faults: () => ({
      head: '<style>body { display: none }</style>',
      script: "document.body.style.display = 'block';",
    }),
    cause: /own scripts stop/,
  },
  {
    name: 'the first token, kept',
    of: 'token_expired',
    faults: () => ({
      click: `window.first ??= await (await fetch('/token', { method: 'POST' })).json();
        return window.first.token;`,
    }),
    cause: /keeps the first token/,
  },
  {
    name: 'another instance for each click',
    of: 'double_click',
    faults: () => ({ script: "addEventListener('dblclick', openAnother);" }),
    cause: /another instance/,
  },
  {
    name: 'a Spanish page with an English widget',
    of: 'language',
    faults: () => ({ lang: 'es' }),
    cause: /does not pass its language/,
  },
  {
    name: 'a page without a language',
    of: 'language',
    status: 'warn',
    faults: () => ({ lang: '' }),
    cause: /no lang attribute/,
  },
  {
    name: 'the key in the page',
    of: 'key_in_page',
    faults: (_, apiKey) => ({ head: `<script>const settings = { apiKey: '${apiKey}' }</script>` }),
    cause: /Your API key is in the response of GET .*\/rent/,
  },
  {
    name: 'a signing secret with the token',
    of: 'key_in_page',
    faults: () => ({
      token: { status: 200, body: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
    }),
    cause: /Your signing secret is in the response of POST .*\/token/,
  },
];

test.each(faults)('$of finds $name', async ({ of, faults: make, status = 'fail', ...expected }) => {
  page.faults = make(service, apiKey);
  const result = await run(of);
  expect(result).toMatchObject({
    name: of,
    status,
    cause: expect.stringMatching(expected.cause),
    fix: expect.stringMatching(/\.$/),
    docs: expect.stringMatching(/^\/docs\//),
  });
  if (expected.summary) expect(result.summary).toMatch(expected.summary);
  expect(JSON.stringify(result)).not.toContain(apiKey);
});

test('a page behind a sign-in is opened with the tenant’s cookie', async () => {
  page.faults = { redirectTo: '/sign-in' };
  const result = await run('widget_shown', [{ name: 'session', value: '1' }]);
  expect(result).toMatchObject({ status: 'pass' });
});

test('a page of another site than the service passes, whose frame is another process', async () => {
  page.faults = {};
  const result = await run('token_expired', [], page.url.replace('127.0.0.1', 'localhost'));
  expect(result).toMatchObject({ status: 'pass' });
  expect(await run('keyboard_only', [], page.url.replace('127.0.0.1', 'localhost'))).toMatchObject({
    status: 'pass',
  });
});

test('a browser that ends is a finding, and closing it again does no harm', async () => {
  const { executablePath = '', env } = await chromiumLaunchOptions();
  const other = await launchBrowser(executablePath, { variables: { ...process.env, ...env } });
  await other.close();
  expect(other.isRunning).toBe(false);
  const result = await run('widget_shown', [], page.url, other);
  expect(result).toMatchObject({ status: 'fail', summary: expect.stringMatching('has ended') });
  await other.close();
});

test('a program that is no browser is refused', async () => {
  await expect(launchBrowser('/bin/true', { variables: {} })).rejects.toThrow(
    'The browser at /bin/true does not start.',
  );
});

test('a tenant that may not be reset keeps their plan', async () => {
  page.faults = { tenant: 't-kept', signed: 't-kept' };
  expect(await run('click_to_done')).toMatchObject({
    status: 'skipped',
    summary: expect.stringContaining('t-kept'),
  });
});

test('a page that does not answer is a finding', async () => {
  expect(await run('widget_shown', [], 'http://127.0.0.1:9/rent')).toMatchObject({
    status: 'fail',
    cause: 'The page does not answer.',
  });
});

test('the service is found under the name that the page uses', async () => {
  const other = service.replace('127.0.0.1', 'localhost');
  expect(await findServiceOrigin(browser, { pageUrl: page.url, origin: other, cookies: [] })).toBe(
    service,
  );
});
