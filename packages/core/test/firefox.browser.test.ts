import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFirefox, startFirefox } from '../../../scripts/test/browsers/firefox.ts';
import { keys, type Tab, type TestBrowser } from '../../../scripts/test/browsers/tab.ts';
import { driverScript } from './fixture/driver.ts';
import { type PageOptions, type Partner, startPartner } from './fixture/partner.ts';
import { type FakeService, startService } from './fixture/service.ts';
import { bundleSdk } from './fixture/stage.ts';

const path = findFirefox();
if (!path)
  console.log('Skipped: there is no Firefox here. Install one, or set FIREFOX to its path.');

const root = `document.querySelector('#slot > div').shadowRoot`;
const dialog = `[...document.documentElement.children].at(-1).shadowRoot?.querySelector('dialog')`;
const shown = `!!${dialog}?.querySelector('iframe:not([inert])')`;
const types = 'driver.events.map(([type]) => type)';

describe.skipIf(!path)('in Firefox', () => {
  let firefox: TestBrowser;
  let service: FakeService;
  let partner: Partner;
  beforeAll(async () => {
    service = await startService();
    const scripts = {
      'svc.js': await bundleSdk(),
      'driver.js': driverScript(`${service.origin}/v1`),
    };
    partner = await startPartner(scripts);
    firefox = await startFirefox(path ?? '');
  });
  afterAll(async () => {
    await firefox.close();
    await Promise.all([service.close(), partner.close()]);
  });
  beforeEach(() => service.reset());

  async function open(options: PageOptions = {}, settings = '{}'): Promise<Tab> {
    const page = await firefox.open(partner.pageOf(options));
    await expect.poll(() => page.evaluate('document.documentElement.dataset.driver')).toBe('ready');
    await page.evaluate(`driver.mount({ identityCheck: 'open', ...${settings} })`);
    return page;
  }

  async function click(page: Tab): Promise<void> {
    const box = await page.evaluate<DOMRect>(
      `${root}.querySelector('button').getBoundingClientRect()`,
    );
    await page.click(Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2));
  }

  test('the widget is complete at once, and sends no request before intent', async () => {
    const page = await open();
    expect(await page.evaluate(`${root}.textContent`)).toContain('$1,520.12');
    await expect.poll(() => page.evaluate(types)).toEqual(['WIDGET_READY']);
    expect(service.requests).toEqual([]);
    await page.close();
  });

  test('a click opens the experience, Escape in its frame closes it, and focus returns', async () => {
    const page = await open();
    await click(page);
    await expect.poll(() => page.evaluate(shown)).toBe(true);
    await page.press(keys.escape);
    await expect
      .poll(() => page.evaluate('driver.results'))
      .toEqual([{ reason: 'dismissed', last_step: 'offer' }]);
    expect(await page.evaluate(types)).toEqual([
      'WIDGET_READY',
      'WIDGET_CLICKED',
      'EXPERIENCE_OPENED',
      'EXPERIENCE_CLOSED',
    ]);
    await expect.poll(() => page.evaluate(`${root}.activeElement?.tagName`)).toBe('BUTTON');
    await page.close();
  });

  test('Tab cycles through the frame and the close button', async () => {
    const page = await open();
    await page.evaluate('void driver.open()');
    await expect.poll(() => page.evaluate(shown)).toBe(true);
    const tab = async () => {
      await page.press(keys.tab);
      return page.evaluate(`${dialog}.getRootNode().activeElement?.tagName ?? 'NONE'`);
    };
    // On a busy machine, a frame that is shown takes the focus only a moment later.
    await expect.poll(tab).toBe('IFRAME');
    const places: unknown[] = [];
    for (let step = 0; step < 14; step += 1) places.push(await tab());
    const half = places.length / 2;
    for (const lap of [places.slice(0, half), places.slice(half)]) {
      expect(lap).toEqual(expect.arrayContaining(['BUTTON', 'IFRAME']));
    }
    expect(places).not.toContain('NONE');
    await page.close();
  });

  test('the page behind does not move by a pixel', async () => {
    const page = await open({ after: '<p style="height:3000px">Long</p>' });
    const place = `[document.documentElement.clientWidth, ${root}.host.getBoundingClientRect()]`;
    const before = await page.evaluate(place);
    await page.evaluate('void driver.open()');
    await expect.poll(() => page.evaluate(shown)).toBe(true);
    expect(await page.evaluate(place)).toEqual(before);
    await page.close();
  });

  test('a strict policy is not violated', async () => {
    const policy = ['default-src', 'style-src', 'connect-src'].map((it) => `${it} 'none'`);
    const csp = [...policy, "script-src 'self'", 'img-src data:', `frame-src ${service.origin}`];
    const page = await open(
      { csp: csp.join(';') },
      `{ appearance: { theme: 'dark', variables: { accent: 'purple' } } }`,
    );
    await click(page);
    await expect.poll(() => page.evaluate(shown)).toBe(true);
    expect(await page.evaluate('violations')).toEqual([]);
    await page.close();
  });

  test('a page with an open experience works after the back/forward cache', async () => {
    const page = await open();
    await page.evaluate('void driver.open()');
    await expect.poll(() => page.evaluate(shown)).toBe(true);
    await page.press(keys.escape);
    await expect.poll(() => page.evaluate(types)).toContain('EXPERIENCE_CLOSED');
    await page.evaluate(
      `addEventListener('pageshow', ({ persisted }) => { window.persisted = persisted; })`,
    );
    await page.evaluate(`void setTimeout(() => location.assign('${partner.pageOf({})}'))`);
    await expect.poll(() => page.evaluate(`${types}.length`)).toBe(0);
    await page.evaluate('void setTimeout(() => history.back())');
    await expect.poll(() => page.evaluate('window.persisted')).toBe(true);
    await click(page);
    await expect.poll(() => page.evaluate(shown)).toBe(true);
    await page.close();
  });
});
