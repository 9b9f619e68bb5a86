import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { es as widgetSpanish } from '@svc/core/locales/es';
import { demoResidents } from '@svc/demo-portal';
import { type PortalInfo, SvcClient, signWidget, verifyExperienceResult } from '@svc/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startExample } from '../../../../examples/test/start-example.ts';
import { everyBrowser } from '../../../../scripts/test/browsers/every-browser.ts';
import { anything, Reader } from '../../../../scripts/test/browsers/reader.ts';
import { type Tab, type TestBrowser, viewports } from '../../../../scripts/test/browsers/tab.ts';
import { en } from '../../../experience/src/words/en.ts';
import { es } from '../../../experience/src/words/es.ts';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { ada as adasInfo } from '../harness.ts';
import { startStage } from '../journeys/open-demo.ts';
import { saveScreen } from './save-screen.ts';
import {
  agree,
  apply,
  type Experience,
  managePlan,
  saveAgreement,
  saveCalendar,
  typeAccount,
} from './tenant-steps.ts';

// Three browsers share a machine with the other files.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let stage: Awaited<ReturnType<typeof startStage>>;
let examples: Awaited<ReturnType<typeof startExample>>[];
let svc: SvcClient;
let apiKey: string;
/** The portal of the partner `elm`: a page with the widget in Spanish, and one that tenants return to. */
const portal = createServer((request, response) => {
  answerPortal(request).then(
    ([type, body]) => response.setHeader('content-type', type).end(body),
    (error: Error) => response.destroy(error),
  );
});
beforeAll(async () => {
  // With reminders by text.
  stage = await startStage({ SVC_SMS: 'files' });
  await new Promise<void>((listening) => portal.listen(0, '127.0.0.1', listening));
  apiKey = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'elm', name: 'Elm Residents' }),
  );
  svc = new SvcClient({ apiKey, baseUrl: `${stage.service.listeningAt}/v1` });
  const settings = { baseUrl: `${stage.service.origin}/v1`, apiKey, pms: 'elm' };
  examples = await Promise.all(exampleNames.map((name) => startExample(name, settings)));
});
afterAll(async () => {
  await Promise.all(examples?.map(({ stop }) => stop()) ?? []);
  portal.close();
  portal.closeAllConnections();
  await stage?.close();
});

const exampleNames = ['plain-html', 'react-vite', 'server-rendered'];

let tenants = 0;
/** Reports a new tenant, who will be approved. */
async function newTenant(): Promise<string> {
  tenants += 1;
  const id = `t-${tenants}`;
  await svc.portalInfo(id, infoOf(id));
  await svc.simulation.setUnderwritingResult(id, {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  return id;
}

function infoOf(id: string): PortalInfo {
  const phone_number = `+1512555${id.replace('t-', '').padStart(4, '0')}`;
  return { ...(adasInfo as PortalInfo), phone_number };
}

const portalOrigin = () => `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;

async function hostedLink(tenant: string): Promise<string> {
  const { experience_url } = await svc.portalInfo(tenant, {
    ...infoOf(tenant),
    hosted: { use: 'redirect', return_url: `${portalOrigin()}/rent` },
  });
  return experience_url ?? '';
}

async function answerPortal({ url = '/' }: IncomingMessage): Promise<[type: string, body: string]> {
  const { pathname, searchParams } = new URL(url, portalOrigin());
  const externalId = searchParams.get('tenant') ?? '';
  if (pathname === '/token') {
    const { token } = await svc.portalInfo(externalId, infoOf(externalId));
    return ['text/plain', token ?? ''];
  }
  if (pathname !== '/pay') return ['text/html', '<h1>Welcome back</h1>'];
  const { origin } = stage.service;
  const settings = {
    balance: 152_012,
    pms: 'elm',
    externalId,
    signature: await signWidget({ apiKey, pms: 'elm', externalId }),
    environment: 'sandbox',
    baseUrl: `${origin}/v1`,
  };
  return [
    'text/html; charset=utf-8',
    `<!doctype html><html lang="es"><meta name="viewport" content="width=device-width">
    <main></main><script type="module">
      import { Svc } from '${origin}/sdk/svc.js';
      import { es } from '${origin}/sdk/es.js';
      const fetchToken = async () => (await fetch('/token?tenant=${externalId}')).text();
      const svc = Svc({
        ...${JSON.stringify(settings)},
        locale: es,
        onEvent() {},
        onWidgetClickCallback: async () => svc.openExperienceAndSetToken(await fetchToken()),
      });
      document.querySelector('main').append(svc.createWidget());
    </script></html>`,
  ];
}

/** The widget's English phrases are their own keys. */
const english = {
  'See my options': 'See my options',
  'Manage plan': 'Manage plan',
};

/** The account in English and in Spanish. */
const everydayChecking = /••0000/;

/** Each browser has a resident of the demo, so that all can share its service. */
const residents = ['Ada', 'Dev', 'Carol'];

/** Makes the experience unable to open windows, as in apps that handle none. */
async function refuseWindows(tab: Tab): Promise<void> {
  await tab.evaluate(
    `void (window.open = () => null, addEventListener('click', (event) => {
      if (event.target.closest?.('a[target=_blank]')) event.preventDefault();
    }, true))`,
    '/experience/',
  );
}

/**
 * Goes to the agreement after the bank's page has replaced the portal's page. The browser has kept the portal's
 * page with its open dialog, or reloaded it. Without storage, the experience asks for the number of payments again.
 */
async function comeBack(page: Reader, { on, words }: Experience): Promise<void> {
  const [agreeAndPay = ''] = words.consent.action(anything).split(anything);
  const [continueWith = ''] = words.choice.action(0).split('0');
  const reopen = widgetSpanish['Choose my plan'];
  const pressed = new Set<string>();
  await vi.waitFor(
    async () => {
      const shown = await on.text();
      if (shown.includes(agreeAndPay)) return;
      const isClosed = shown === '' && (await page.text()).includes(reopen);
      if (isClosed && !pressed.has('widget')) {
        pressed.add('widget');
        await page.press(reopen);
      } else if (shown.includes(continueWith) && !pressed.has('count')) {
        pressed.add('count');
        await on.press(new RegExp(`^${continueWith}`));
      }
      throw new Error(`The agreement is not in: ${shown}`);
    },
    { timeout: 60_000, interval: 200 },
  );
}

describe.each(everyBrowser.filter(({ start }) => start))('in $name', (known) => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await (known.start as () => Promise<TestBrowser>)();
  });
  afterAll(() => browser?.close());
  const opened: Tab[] = [];
  let screen = 'start';
  afterEach(async () => {
    for (const tab of opened.splice(0)) {
      await saveScreen(tab, `${known.name} ${screen} end`);
      await tab.close();
    }
  });

  async function open(url: string, size: keyof typeof viewports): Promise<Tab> {
    const tab = await browser.open(url, viewports[size]);
    opened.push(tab);
    return tab;
  }

  /** Returns the tab that a page opens during `act`. */
  async function openedBy(act: () => Promise<void>): Promise<Tab> {
    const before = (await browser.tabs()).map(({ id }) => id);
    await act();
    return vi.waitUntil(async () => (await browser.tabs()).find(({ id }) => !before.includes(id)), {
      timeout: 30_000,
      interval: 100,
    });
  }

  /** Goes from a page with the widget to a plan that is paid off, in the words of one language. */
  async function useWidget(
    tab: Tab,
    language: Pick<Experience, 'words' | 'friday'>,
    widget = english,
  ): Promise<void> {
    const page = new Reader(tab);
    await page.waitFor('button', widget['See my options']);
    await saveScreen(tab, `${known.name} ${screen}`);
    await page.press(widget['See my options']);
    const on = new Reader(tab, '/experience/');
    const experience = { on, ...language };
    const { words } = language;
    await apply(experience);
    await saveScreen(tab, `${known.name} ${screen} banks`);
    if (known.opensTabs) {
      const bank = new Reader(await openedBy(() => on.press('Platypus National Bank')));
      await bank.press(everydayChecking);
    } else {
      // The page could not be opened. The tenant can type the numbers instead.
      await on.press('Platypus National Bank');
      await on.press(words.account.banks.another);
      await typeAccount(experience);
    }
    await on.waitFor('button', words.consent.action(anything));
    await saveScreen(tab, `${known.name} ${screen} consent`);
    await saveAgreement(experience, browser.downloads);
    await agree(experience);
    await saveCalendar(experience, browser.downloads);
    await on.press(words.done.close);
    await page.press(widget['Manage plan']);
    await saveScreen(tab, `${known.name} ${screen} plan`);
    await managePlan(experience, join(stage.folder, 'mail'));
    await on.press(/portal/);
    // The dialog has closed, so the page's buttons can be pressed.
    await page.waitFor('button', /./);
  }

  test('on a phone a tenant goes from the widget of the demo to a plan, and through all of its pages', async () => {
    screen = 'widget phone';
    const resident = demoResidents.find(
      (it) => it.firstName === residents[everyBrowser.indexOf(known)],
    );
    const path = `${stage.demo.origin}/api/tenants/${resident?.id}/select`;
    expect((await fetch(path, { method: 'POST' })).status).toBe(200);
    const tab = await open(`${stage.demo.origin}/portal?tenant=${resident?.id}`, 'phone');
    await useWidget(tab, { words: en, friday: 'Friday' });
  });

  test('on a desktop a tenant does all of it in Spanish', async () => {
    screen = 'Spanish desktop';
    const tab = await open(`${portalOrigin()}/pay?tenant=${await newTenant()}`, 'desktop');
    await useWidget(tab, { words: es, friday: 'Viernes' }, widgetSpanish);
  });

  test('where no window opens, the bank takes the place of the portal’s page and leads back', async () => {
    screen = 'no window';
    const tab = await open(`${portalOrigin()}/pay?tenant=${await newTenant()}`, 'desktop');
    const page = new Reader(tab);
    await page.press(widgetSpanish['See my options']);
    const on = new Reader(tab, '/experience/');
    const experience = { on, words: es, friday: 'Viernes' };
    await apply(experience);
    await refuseWindows(tab);
    await on.press('Platypus National Bank');
    await on.press(es.account.banks.open('Platypus National Bank'), 'link');
    await saveScreen(tab, `${known.name} ${screen}`);
    await on.press(es.noWindow.action, 'link');
    await page.press(everydayChecking);
    await comeBack(page, experience);
    await saveScreen(tab, `${known.name} ${screen} back`);
    await agree(experience);
    await on.press(es.done.close);
    await page.waitFor('button', widgetSpanish['Manage plan']);
  });

  test('each example shows the widget and opens the experience, up to its first form', async () => {
    for (const [index, { address }] of examples.entries()) {
      screen = `example ${exampleNames[index]}`;
      const tab = await open(address, 'desktop');
      await new Reader(tab).press('See my options');
      const on = new Reader(tab, '/experience/');
      await on.press(en.offer.action);
      await on.waitFor('textbox', en.application.birth);
      await saveScreen(tab, `${known.name} ${screen}`);
    }
  });

  test('a hosted link leads to an active plan, and back with a result', async () => {
    screen = 'hosted';
    const tenant = await newTenant();
    const tab = await open(await hostedLink(tenant), 'phone');
    const page = new Reader(tab);
    const experience = { on: page, words: en, friday: 'Friday' };
    await page.press('Continue');
    await apply(experience);
    await page.press('Platypus National Bank');
    await page.waitFor('button', everydayChecking);
    await saveScreen(tab, `${known.name} ${screen} bank`);
    // The tenant goes back without choosing an account, and then cancels at the bank.
    await tab.back();
    // A press is ignored while the page still asks for the visit's outcome.
    await vi.waitFor(
      async () => {
        await page.press('Platypus National Bank');
        await page.waitFor('button', 'Cancel and go back');
      },
      { timeout: 120_000 },
    );
    await page.press('Cancel and go back');
    await page.waitForText('Nothing was added');
    await saveScreen(tab, `${known.name} ${screen} canceled`);
    await page.press('Platypus National Bank');
    await page.press(everydayChecking);
    await saveAgreement(experience, browser.downloads);
    await agree(experience);
    await tab.reload();
    await page.press(/portal/);
    await page.waitFor('heading', 'Welcome back');
    const address = new URL(await tab.evaluate<string>('location.href'));
    const result = address.searchParams.get('svc_result') ?? '';
    expect(await verifyExperienceResult(result, { apiKey })).toMatchObject({
      external_id: tenant,
      reason: 'completed',
    });
  });

  test('the console shows its main pages, and creates an endpoint', async () => {
    screen = 'console';
    const response = await fetch(
      `${stage.service.listeningAt}/v1/partner/webhook_portal_url?scope=admin`,
      { headers: { authorization: `Bearer ${apiKey}` } },
    );
    const { data } = (await response.json()) as { data: { url: string } };
    const tab = await open(data.url, 'desktop');
    const page = new Reader(tab);
    await page.press('Open the console');
    await page.waitFor('heading', 'Home');
    for (const section of ['Endpoints', 'Messages', 'Replays', 'Activity', 'Requests']) {
      await page.press(section, 'link');
      await page.waitFor('heading', section);
      await saveScreen(tab, `${known.name} console ${section}`);
    }
    await page.press('Endpoints', 'link');
    await page.press('Add endpoint', 'link');
    await page.fill('URL', 'http://127.0.0.1:9/hooks');
    await page.press('Create endpoint');
    await page.waitFor('heading', 'Signing secret');
  });
});
