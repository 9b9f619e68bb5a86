import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PortalInfo, SvcClient, signWidget } from '@svc/node';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runAsSystem, seedPartner } from '../../../apps/server/src/seed-partner.ts';
import { ada } from '../../../apps/server/test/harness.ts';
import { chooseAccount } from '../../../apps/server/test/journeys/choose-account.ts';
import { type OpenDemo, openDemo } from '../../../apps/server/test/journeys/open-demo.ts';
import type { AppProps } from './fixture/app.tsx';
import { type OpenedApp, openApp } from './fixture/open-app.ts';

// The component with the service's real page in each WebView, which is a tab of Chromium, and a real service.

let stage: OpenDemo;
let svc: SvcClient;
let apiKey: string;
let baseUrl: string;
/** A page of another site, whose messages look right. */
let foreign: Server;
let foreignOrigin: string;
let app: OpenedApp;
let tenantCount = 0;
let externalId: string;
let fetchToken: () => Promise<string>;

beforeAll(async () => {
  stage = await openDemo();
  baseUrl = `${stage.service.origin}/v1`;
  foreign = createServer(({ url }, response) => {
    const status = url === '/sdk/webview' ? 404 : 200;
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Elsewhere</h1>');
  });
  await new Promise<void>((listening) => foreign.listen(0, '127.0.0.1', listening));
  foreignOrigin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  apiKey = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'elm', name: 'Elm Residents' }),
  );
  svc = new SvcClient({ apiKey, baseUrl });
  // As in production: nothing but the app shows the widget.
  await fetch(`${baseUrl}/partner/allowed_origins`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      allowed_origins: ['https://portal.example'],
      app_schemes: ['com.example.app'],
    }),
  });
});
afterAll(async () => {
  foreign?.close();
  await stage?.close();
});

beforeEach(async () => {
  externalId = `native-${++tenantCount}`;
  await svc.simulation.setUnderwritingResult(externalId, {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  fetchToken = async () => (await svc.portalInfo(externalId, ada as PortalInfo)).token ?? '';
  app = await openApp(stage.browser, () => fetchToken());
  return () => app.close();
});

async function propsOf(changes: Partial<AppProps> = {}): Promise<AppProps> {
  return {
    balance: 152012,
    pms: 'elm',
    externalId,
    signature: await signWidget({ apiKey, pms: 'elm', externalId }),
    environment: 'sandbox',
    baseUrl,
    ...changes,
  };
}

const click = async () =>
  (await app.widget()).getByRole('button', { name: 'See my options' }).click();

async function openByClick(changes: Partial<AppProps> = {}) {
  await app.render(await propsOf(changes));
  await app.event('WIDGET_READY');
  await click();
  const page = await app.experience();
  const frame = page.frameLocator('iframe');
  await offer(frame);
  return { page, frame };
}

const offer = (frame: FrameLocator) =>
  frame.getByRole('heading', { level: 1, name: /^Split your/ }).waitFor();

test('a tap opens the experience over the app, and a plan comes back to the widget', async () => {
  const { page, frame } = await openByClick({ appearance: { variables: { accent: '#aa3300' } } });
  await frame.getByRole('button', { name: 'Start my application' }).click();
  await frame.getByLabel('Date of birth').fill('04/12/1990');
  await frame.getByLabel('What’s your monthly income?').fill('5000');
  await frame.getByLabel(/^I agree that/).check();
  await frame.getByRole('button', { name: /^Send my application/ }).click();
  await frame.getByRole('radio', { name: /^4 payments/ }).check();
  await frame.getByRole('button', { name: 'Continue with 4 payments' }).click();
  await chooseAccount(frame);
  // The bank's page opens in the browser of the phone.
  expect(await app.page.evaluate(() => window.app.opened)).toEqual([
    expect.stringContaining('/setup/visit#'),
  ]);
  await frame.getByRole('checkbox').check();
  await frame.getByRole('button', { name: /^Agree and pay \$/ }).click();
  await frame.getByRole('heading', { level: 1, name: 'Your rent is split' }).waitFor();
  const split = await app.event('SPLIT_RENT');
  expect(split).toMatchObject({ amount_in_cents: 152012, plan_id: expect.any(String) });
  await frame.getByRole('button', { name: 'Add to my calendar' }).click();
  // So does a file, whose address needs no session.
  const address = await vi.waitUntil(() => app.page.evaluate(() => window.app.opened[1]));
  const file = await fetch(address);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="payments.ics"');
  expect(await file.text()).toMatch(/^BEGIN:VCALENDAR/);
  await frame.getByRole('heading', { level: 1, name: 'Your rent is split' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  const closed = await app.event('EXPERIENCE_CLOSED');
  expect(closed).toEqual({ reason: 'completed', last_step: 'done' });
  expect(await app.page.evaluate(() => window.app.results)).toEqual([closed]);
  expect(await app.page.getByRole('dialog').count()).toBe(0);
  const widget = await app.widget();
  await widget.getByRole('button', { name: 'Manage plan' }).waitFor();
  expect(await app.types()).toEqual([
    'WIDGET_READY',
    'WIDGET_CLICKED',
    'EXPERIENCE_OPENED',
    'APPLICATION_SUBMITTED',
    'USER_APPROVED',
    'SPLIT_RENT',
    'EXPERIENCE_CLOSED',
  ]);
  expect(app.errors).toEqual([]);
});

test('the app’s page is refused while the partner has registered no app', async () => {
  const key = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'oak', name: 'Oak' }),
  );
  await new SvcClient({ apiKey: key, baseUrl }).allowedOrigins.set(['https://portal.example']);
  const signature = await signWidget({ apiKey: key, pms: 'oak', externalId });
  await app.render(await propsOf({ pms: 'oak', signature }));
  expect(await app.event('ERROR')).toMatchObject({ code: 1300, error_code: 'origin_not_allowed' });
});

test('back goes one step back in the experience, and then closes it', async () => {
  const { frame } = await openByClick();
  await frame.getByRole('button', { name: 'Start my application' }).click();
  await frame.getByLabel('Date of birth').waitFor();
  const pressBack = () => app.page.evaluate(() => window.app.pressBack?.());
  await pressBack();
  await offer(frame);
  expect(await app.types()).not.toContain('EXPERIENCE_CLOSED');
  await pressBack();
  expect(await app.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'dismissed' });
  await expect.poll(() => app.tabCount()).toBe(1);
});

test('settings change in place, and another tenant closes the experience', async () => {
  const { page } = await openByClick();
  const widget = await app.widget();
  await widget.evaluate(() => Object.assign(window, { isSame: true }));
  await app.render(await propsOf({ balance: 9900 }));
  await widget.getByText('$99.00').waitFor();
  expect(await widget.evaluate(() => 'isSame' in window)).toBe(true);
  expect(page.isClosed()).toBe(false);
  const other = `${externalId}-other`;
  const signature = await signWidget({ apiKey, pms: 'elm', externalId: other });
  const session = widget.waitForRequest((it) => it.url().endsWith('/v1/widget/session'));
  await app.render(await propsOf({ externalId: other, signature }));
  expect(await app.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'dismissed' });
  expect((await session).postDataJSON()).toMatchObject({ external_id: other });
  await expect.poll(() => app.tabCount()).toBe(1);
  expect(app.errors).toEqual([]);
});

test('wrong settings are an event, and the widget comes with right ones', async () => {
  await app.render(await propsOf({ baseUrl: 'svc.example' }));
  expect((await app.event('ERROR')).msg).toContain('baseUrl: "svc.example" is not the address');
  expect(app.tabCount()).toBe(0);
  await app.render(await propsOf({ balance: 1.5, pms: 'NO PORTAL' }));
  await expect
    .poll(async () => (await app.event('ERROR')).msg)
    .toContain('balance: 1.5 is not an integer. Pass cents, such as 152012.\npms: "NO PORTAL"');
  expect(await (await app.widget()).getByRole('note').textContent()).toContain('balance: 1.5');
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  expect(await app.types()).toEqual(['ERROR', 'ERROR', 'WIDGET_READY']);
});

test.each([
  ['throws', 'callback_threw'],
  ['returns null', 'callback_opened_nothing'],
] as const)(
  'a callback that %s is an error, and the next tap works',
  async (callback, error_code) => {
    await app.render(await propsOf({ callback }));
    await app.event('WIDGET_READY');
    await click();
    expect(await app.event('ERROR')).toMatchObject({ code: 1400, error_code });
    const widget = await app.widget();
    await widget.getByText('That didn’t open. Try again').waitFor();
    await app.render(await propsOf({ callback: 'returns' }));
    await click();
    await offer((await app.experience()).frameLocator('iframe'));
  },
);

test('a token that the service refuses is an error, and fetchToken renews it', async () => {
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  await app.page.evaluate(() => void window.app.openThroughRef('svc_tt_unknown'));
  expect(await app.event('ERROR')).toMatchObject({ code: 1100, error_code: 'token_refused' });
  await app.page.evaluate(() => window.app.pressBack?.());
  expect(await app.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'error' });
  await app.render(await propsOf({ renews: true }));
  await app.page.evaluate(() => void window.app.openThroughRef('svc_tt_unknown'));
  await offer((await app.experience()).frameLocator('iframe'));
  expect(await app.event('TOKEN_EXPIRED')).toEqual({ renewable: true });
});

test('the app unmounts while the token is on its way, and while the experience is open', async () => {
  await app.render(await propsOf({ callback: 'waits' }));
  await app.event('WIDGET_READY');
  await click();
  await app.event('WIDGET_CLICKED');
  await app.page.evaluate(() => window.app.unmount());
  await app.page.evaluate(() => window.app.continue('svc_tt_late'));
  await expect.poll(() => app.tabCount()).toBe(0);
  expect(await app.types()).toEqual(['WIDGET_READY', 'WIDGET_CLICKED']);

  await openByClick();
  await app.page.evaluate(() => window.app.unmount());
  const closed = await app.event('EXPERIENCE_CLOSED');
  expect(closed).toEqual({ reason: 'destroyed', last_step: null });
  expect(await app.page.evaluate(() => window.app.results)).toEqual([closed]);
  await expect.poll(() => app.tabCount()).toBe(0);
  expect(app.errors).toEqual([]);
});

test('StrictMode, which mounts everything twice, has one widget that works', async () => {
  const props = await propsOf();
  await app.page.evaluate((it) => window.app.renderStrict(it), props);
  await app.event('WIDGET_READY');
  await click();
  await offer((await app.experience()).frameLocator('iframe'));
  expect(app.errors).toEqual([]);
});

test('several widgets: the tapped one opens, and without a tap openExperience asks which', async () => {
  const open = () =>
    app.page.evaluate(() => window.app.open('svc_tt_1').catch((error) => error.error_code));
  await expect(
    app.page.evaluate(() => {
      try {
        void window.app.open('svc_tt_1');
        return '';
      } catch (error) {
        return (error as { error_code: string }).error_code;
      }
    }),
  ).resolves.toBe('not_mounted');
  const props = await propsOf();
  await app.render(props, props);
  await app.event('WIDGET_READY');
  await expect(open()).rejects.toThrow('Several SvcWidgets are mounted');
  await click();
  await offer((await app.experience()).frameLocator('iframe'));
  expect(await app.page.getByRole('dialog').count()).toBe(1);
});

test('a service that is away is reported, and the tenant tries again or closes', async () => {
  const closedPort = `${foreignOrigin.replace(/\d+$/, '9')}`;
  await app.render(await propsOf({ baseUrl: closedPort }));
  expect(await app.event('ERROR')).toMatchObject({ code: 1200, error_code: 'network' });
  await app.page.getByText('Your options didn’t load').waitFor();
  await app.page.evaluate(() => void window.app.openThroughRef('svc_tt_1'));
  await app.page.getByRole('button', { name: 'Close' }).click();
  expect(await app.event('EXPERIENCE_CLOSED')).toEqual({ reason: 'error', last_step: null });
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  // A service from before this page.
  await app.render(await propsOf({ baseUrl: foreignOrigin }));
  await expect
    .poll(async () => (await app.event('ERROR')).msg)
    .toBe(`${foreignOrigin}/sdk/webview answered 404.`);
});

const forgedEvents = [
  { svc: 1, type: 'event', event: { type: 'SPLIT_RENT', data: {} } },
  { svc: 1, type: 'closed', result: { reason: 'completed', last_step: 'done' } },
  { svc: 1, type: 'open', token: 'svc_tt_forged' },
  { svc: 1, type: 'call', call: 1, name: 'onWidgetClickCallback' },
];

test('messages without the secret, and messages that are none, change nothing', async () => {
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  const widget = await app.widget();
  const before = await app.types();
  await widget.evaluate((messages) => {
    const post = (text: string) => window.ReactNativeWebView?.postMessage(text);
    for (const message of messages) {
      post(JSON.stringify(message));
      post(JSON.stringify({ ...message, secret: 'guessed' }));
    }
    for (const text of ['', 'null', '1', '[]', '{"svc":1}', '{"svc":1,"type":7}', '{'.repeat(99)]) {
      post(text);
    }
  }, forgedEvents);
  await settled(widget);
  expect(await app.types()).toEqual(before);
  expect(app.tabCount()).toBe(1);
  expect(app.errors).toEqual([]);
});

test('a frame of another site gets no settings by saying hello, and is not believed', async () => {
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  const widget = await app.widget();
  const before = await app.types();
  await widget.setContent(`<iframe src="${foreignOrigin}"></iframe>`).catch(() => {});
  // The component lets no such frame load, so the test puts its message into an empty one.
  const [, frame] = widget.frames();
  await frame?.evaluate((messages) => {
    const heard: unknown[] = [];
    Object.assign(window, { heard, svcReceive: (message: unknown) => heard.push(message) });
    const { ReactNativeWebView } = window;
    for (const message of [{ svc: 1, type: 'hello' }, ...messages]) {
      ReactNativeWebView?.postMessage(JSON.stringify(message));
    }
  }, forgedEvents);
  await settled(widget);
  expect(await frame?.evaluate(() => (window as unknown as { heard: [] }).heard)).toEqual([]);
  expect(await app.types()).toEqual(before);
});

test('a page of another site in the WebView is not believed, and is told nothing', async () => {
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  const widget = await app.widget();
  const before = await app.types();
  // As if a WebView did not ask the app, which Android's does not for every kind of navigation.
  await widget.unroute('**');
  await widget.goto(foreignOrigin);
  const injectedBefore = app.injected.length;
  await widget.evaluate((messages) => {
    const heard: unknown[] = [];
    Object.assign(window, { heard, svcReceive: (message: unknown) => heard.push(message) });
    for (const message of [{ svc: 1, type: 'hello' }, ...messages]) {
      window.ReactNativeWebView?.postMessage(JSON.stringify(message));
    }
  }, forgedEvents);
  // The app still sends its settings to the widget. The injected script checks where it runs.
  await app.render(await propsOf({ balance: 5 }));
  await expect.poll(() => app.injected.length).toBeGreaterThan(injectedBefore);
  await settled(widget);
  expect(await widget.evaluate(() => (window as unknown as { heard: [] }).heard)).toEqual([]);
  expect(await app.types()).toEqual(before);
});

test('links lead out of the app, and only to the web, mail and phone', async () => {
  await app.render(await propsOf());
  await app.event('WIDGET_READY');
  const widget = await app.widget();
  const follow = (href: string) =>
    widget.evaluate((href) => {
      const link = document.createElement('a');
      link.href = href;
      link.click();
    }, href);
  await follow(`${foreignOrigin}/terms`);
  await expect
    .poll(() => app.page.evaluate(() => window.app.opened))
    .toEqual([`${foreignOrigin}/terms`]);
  await follow('file:///etc/passwd');
  await settled(widget);
  expect(widget.url()).toBe(`${stage.service.origin}/sdk/webview`);
  expect(await app.page.evaluate(() => window.app.opened)).toHaveLength(1);
});

/** Until every message that the page has posted has arrived: they come in order. */
async function settled(tab: Page): Promise<void> {
  await tab.evaluate(() =>
    (window as unknown as Record<'postToApp', (text: string) => unknown>).postToApp(''),
  );
}
