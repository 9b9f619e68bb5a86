import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

const resolve = createRequire(import.meta.url).resolve;
const scriptOf = (path: string) => readFileSync(resolve(path), 'utf8');

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({
    'turbo.js': scriptOf('@hotwired/turbo/dist/turbo.es2017-umd.js'),
    'htmx2.js': scriptOf('htmx.org/dist/htmx.js'),
    'htmx4.js': scriptOf('htmx4/dist/htmx.js'),
    'idiomorph.js': scriptOf('idiomorph/dist/idiomorph.js'),
  });
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

declare global {
  interface Window {
    /** True until the browser loads a new document, which discards the property. */
    isSameDocument: boolean;
    /** The types of the loader's events in the page, in order. */
    loads: string[];
    Turbo: { visit(url: string, options: object): void };
    htmx: { ajax(method: string, url: string, options: object): void };
    Idiomorph: { morph(element: Element, content: string, options: object): void };
  }
}

const shown = 'iframe:not([inert])';
const tall = '<div style="height:3000px"></div>';

/** The events that a loader sends when it is about to load, render or cache a page. */
const loaders = {
  turbo: ['turbo:visit', 'turbo:before-render', 'turbo:before-cache'],
  htmx2: ['htmx:beforeRequest', 'htmx:historyCacheHit', 'htmx:historyCacheMiss'],
  htmx4: ['htmx:before:request', 'htmx:before:history:restore'],
};
type Loader = keyof typeof loaders;
const names = Object.keys(loaders) as Loader[];
/** The number of adopted style sheets in a page without the SDK: htmx 4 adopts one. */
const sheets: Record<Loader, number> = { turbo: 0, htmx2: 0, htmx4: 1 };

function headOf(loader: Loader): string {
  return `<script src="/${loader}.js"></script><script>
    loads = [];
    for (const type of ${JSON.stringify(loaders[loader])}) {
      document.addEventListener(type, () => loads.push(type));
    }</script>`;
}

interface Portal extends Opened {
  loader: Loader;
  /** The URLs of the start page, of the rent page and of a third one. */
  home: string;
  rent: string;
  next: string;
}

/** Opens the start page, goes to the rent page by a link that the loader follows, and mounts the widget. */
async function openPortal(loader: Loader): Promise<Portal> {
  const head = headOf(loader);
  const link = (url: string, id: string) =>
    `<a id="${id}" hx-boost="true" hx-target="body" href="${url}">${id}</a>`;
  const next = stage.partner.pageOf({ head, before: '<h1>Next</h1>', after: tall });
  const rent = stage.partner.pageOf({
    head,
    before: `<h1>Rent</h1>${link(next, 'next')}`,
    after: tall,
  });
  const before = `<h1>Home</h1>${link(rent, 'rent')}`;
  const opened = await stage.open({ head, before, after: tall });
  const home = opened.page.url();
  await opened.page.evaluate(() => {
    window.isSameDocument = true;
  });
  await opened.page.locator('#rent').click();
  await opened.page.getByRole('heading', { name: 'Rent' }).waitFor();
  await expect.poll(() => opened.page.url()).toBe(rent);
  await settle(opened);
  await opened.mount({ identityCheck: 'open' });
  return { ...opened, loader, home, rent, next };
}

async function openExperience({ page }: Opened): Promise<void> {
  await page.getByRole('button', { name: 'See my options' }).click();
  await page.locator(shown).waitFor();
  await page.evaluate(() => {
    window.loads = [];
    document.querySelector('h1')?.setAttribute('data-kept', '');
  });
}

const isOpen = ({ page }: Opened) => page.locator('dialog[open]').count();
const back = ({ page }: Opened) => page.evaluate(() => history.back());
/** Leaves time for a navigation that must not happen. */
const settle = ({ page }: Opened) => page.evaluate(() => new Promise((r) => setTimeout(r, 80)));

/** Asserts that the rent page is as the tenant left it: not loaded, rendered or cached again, and scrollable. */
async function expectUntouched(portal: Portal): Promise<void> {
  await settle(portal);
  expect(portal.page.url()).toBe(portal.rent);
  expect(
    await portal.page.evaluate(() => {
      scrollTo(0, 0);
      scrollBy(0, 100);
      const scrolled = scrollY;
      scrollTo(0, 0);
      return {
        scrolled,
        loads: window.loads,
        isKept: !!document.querySelector('h1[data-kept]'),
        isSameDocument: window.isSameDocument,
        sheets: document.adoptedStyleSheets.length,
        properties: Object.keys(history.state ?? {}),
      };
    }),
  ).toEqual({
    scrolled: 100,
    loads: [],
    isKept: true,
    isSameDocument: true,
    sheets: sheets[portal.loader],
    properties: [portal.loader === 'turbo' ? 'turbo' : 'htmx'],
  });
  expect(portal.faults).toEqual([]);
}

/** Goes back, and asserts that the loader shows the start page again. */
async function expectBackHome(portal: Portal): Promise<void> {
  await back(portal);
  await portal.page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(portal.page.url()).toBe(portal.home);
  expect(await portal.page.evaluate(() => window.isSameDocument)).toBe(true);
}

async function setCanGoBack({ page }: Opened, inside: Frame, value: boolean): Promise<void> {
  const count = () =>
    page.evaluate(() => window.driver.events.filter(([type]) => type === 'USER_APPROVED').length);
  const before = await count();
  await inside.evaluate((value) => {
    window.say({ type: 'can_go_back', value });
    window.say({ type: 'event', event: { type: 'USER_APPROVED', data: {} } });
  }, value);
  await expect.poll(count).toBe(before + 1);
}

test.for(names)('on a page of %s, closing the dialog leaves the page as it was', async (loader) => {
  const portal = await openPortal(loader);
  // From the second round on, the page is on the history entry that the previous dialog left.
  for (const how of ['back', 'close', 'back']) {
    await openExperience(portal);
    if (how === 'back') await back(portal);
    else await portal.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => isOpen(portal)).toBe(0);
    await expectUntouched(portal);
  }
  const closings = (await portal.types()).filter((type) => type === 'EXPERIENCE_CLOSED');
  expect(closings).toHaveLength(3);
  await expectBackHome(portal);
  await portal.close();
});

test.for(names)('on a page of %s, back goes a step back in the experience', async (loader) => {
  const portal = await openPortal(loader);
  await openExperience(portal);
  const inside = await portal.frame();
  await setCanGoBack(portal, inside, true);
  for (const times of [1, 2, 3]) {
    await back(portal);
    const steps = () =>
      inside.evaluate(() => window.received.filter(({ type }) => type === 'back').length);
    await expect.poll(steps).toBe(times);
    await settle(portal);
    expect([await isOpen(portal), portal.page.url()]).toEqual([1, portal.rent]);
  }
  await setCanGoBack(portal, inside, false);
  await back(portal);
  await expect.poll(() => isOpen(portal)).toBe(0);
  await expectUntouched(portal);
  await expectBackHome(portal);
  await portal.close();
});

test.for(names)('%s goes to another page while the dialog is open', async (loader) => {
  const portal = await openPortal(loader);
  const { page } = portal;
  await openExperience(portal);
  await page.evaluate(() => document.getElementById('next')?.click());
  await page.getByRole('heading', { name: 'Next' }).waitFor();
  expect(await portal.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'destroyed' });
  await settle(portal);
  expect(page.url()).toBe(portal.next);
  const scrolled = () => {
    scrollTo(0, 0);
    scrollBy(0, 100);
    return [scrollY, document.adoptedStyleSheets.length, history.state?.svcGuards];
  };
  expect(await page.evaluate(scrolled)).toEqual([100, sheets[loader], undefined]);
  await back(portal);
  await page.getByRole('heading', { name: 'Rent' }).waitFor();
  expect(page.url()).toBe(portal.rent);
  await settle(portal);
  // The page mounts its widget again, and the widget works.
  await page.evaluate(() => window.driver.mount({ identityCheck: 'open' }));
  expect(await page.locator('[data-svc-widget]').count()).toBe(1);
  await openExperience(portal);
  await back(portal);
  await expect.poll(() => isOpen(portal)).toBe(0);
  await expectUntouched(portal);
  // The dialog that the page left had added a history entry, which shows the rent page.
  await back(portal);
  await settle(portal);
  await page.getByRole('heading', { name: 'Rent' }).waitFor();
  expect(page.url()).toBe(portal.rent);
  await expectBackHome(portal);
  await portal.close();
});

test('two dialogs on a page of Turbo: back closes the upper one, then the lower one', async () => {
  const portal = await openPortal('turbo');
  await openExperience(portal);
  await portal.page.evaluate(() => {
    window.driver.mount({ identityCheck: 'open', externalId: 't-200' });
    window.driver.open('svc_tt_2');
  });
  await portal.page.locator(shown).nth(1).waitFor();
  for (const left of [1, 0]) {
    await back(portal);
    await expect.poll(() => isOpen(portal)).toBe(left);
    await settle(portal);
    expect(portal.page.url()).toBe(portal.rent);
  }
  await expectUntouched(portal);
  await expectBackHome(portal);
  await portal.close();
});

test.for(names)('on the first page of %s, back closes the dialog', async (loader) => {
  const head = headOf(loader);
  const opened = await stage.open({ head, before: '<h1>Rent</h1>', after: tall });
  const rent = opened.page.url();
  await opened.mount({ identityCheck: 'open' });
  await openExperience(opened);
  await back(opened);
  await expect.poll(() => isOpen(opened)).toBe(0);
  await settle(opened);
  expect([opened.page.url(), await opened.page.evaluate(() => window.loads)]).toEqual([rent, []]);
  expect(await opened.page.evaluate(() => history.state?.svcPageState)).toBeUndefined();
  await opened.close();
});

test.for(names)('a page of %s that is reloaded under the open dialog', async (loader) => {
  const portal = await openPortal(loader);
  const { page } = portal;
  await openExperience(portal);
  await page.reload();
  await page.locator('html[data-driver]').waitFor({ state: 'attached' });
  await back(portal);
  await settle(portal);
  expect(page.url()).toBe(portal.rent);
  await page.getByRole('heading', { name: 'Rent' }).waitFor();
  await page.locator('#next').click();
  await page.getByRole('heading', { name: 'Next' }).waitFor();
  await back(portal);
  await page.getByRole('heading', { name: 'Rent' }).waitFor();
  await settle(portal);
  await portal.mount({ identityCheck: 'open' });
  await openExperience(portal);
  await back(portal);
  await expect.poll(() => isOpen(portal)).toBe(0);
  await settle(portal);
  expect([page.url(), await page.evaluate(() => window.loads)]).toEqual([portal.rent, []]);
  await portal.close();
});

const refresh = '<meta name="turbo-refresh-method" content="morph">';
type Morph = (url: string, html: string) => unknown;
test.for<[string, string, Morph]>([
  [
    'Turbo',
    `<script src="/turbo.js"></script>${refresh}`,
    (url) => window.Turbo.visit(url, { action: 'replace' }),
  ],
  [
    'htmx 4',
    '<script src="/htmx4.js"></script>',
    (url) => window.htmx.ajax('GET', url, { target: 'body', swap: 'innerMorph' }),
  ],
  [
    'idiomorph',
    '<script src="/idiomorph.js"></script>',
    (_, html) => {
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      window.Idiomorph.morph(document.body, body.innerHTML, { morphStyle: 'innerHTML' });
    },
  ],
])('the dialog stays open while %s morphs the page', async ([, head, morph]) => {
  const before = '<h1>Rent</h1>';
  const opened = await stage.open({ head, before, after: tall });
  const { page } = opened;
  const rent = page.url();
  await opened.mount({ identityCheck: 'open' });
  for (const isOpened of [false, true]) {
    if (isOpened) await openExperience(opened);
    // The server's page is rendered again, which takes the mark away and leaves the slot empty.
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-kept', ''));
    const html = await (await fetch(rent)).text();
    await page.evaluate(({ morph, url, html }) => window.driver.from<Morph>(morph)(url, html), {
      morph: `(${morph})`,
      url: rent,
      html,
    });
    await expect.poll(() => page.locator('h1[data-kept]').count()).toBe(0);
    await expect.poll(() => page.locator('#slot > div').count()).toBe(0);
    expect(await isOpen(opened)).toBe(isOpened ? 1 : 0);
    if (isOpened) {
      expect(await (await opened.frame()).evaluate(() => window.ports)).toBe(1);
      await back(opened);
      await expect.poll(() => isOpen(opened)).toBe(0);
      expect(await opened.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'dismissed' });
    }
    await settle(opened);
    expect(page.url()).toBe(rent);
    await page.evaluate(() => {
      window.driver.svc.destroy();
      window.driver.mount({ identityCheck: 'open' });
    });
  }
  await openExperience(opened);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => isOpen(opened)).toBe(0);
  expect(opened.faults).toEqual([]);
  await opened.close();
});
