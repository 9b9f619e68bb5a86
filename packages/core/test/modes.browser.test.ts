import { widgetSessionOf, widgetStatuses } from '@svc/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { es } from '../src/locales/es.ts';
import { paintedFill } from './fixture/painted-fill.ts';
import { answerOf, refusalOf } from './fixture/service.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const quiet = { identityCheck: 'open' } as const;
const styleOf = ({ page }: Opened, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((it, name) => getComputedStyle(it).getPropertyValue(name), property);

test('forced colors: the button keeps a visible border, and color is never the only sign', async () => {
  const opened = await stage.open();
  await opened.page.emulateMedia({ forcedColors: 'active' });
  await opened.mount(quiet);
  const [border, ground] = [
    await styleOf(opened, '[part=card] button', 'border-top-color'),
    await styleOf(opened, 'div[lang]', 'background-color'),
  ];
  // This is a system color. It may be translucent, as Chromium's own highlight is.
  expect(border).toMatch(/^rgba?\(/);
  expect(border).not.toBe(ground);
  expect(await opened.page.locator('[part=card]').innerText()).toContain('Sandbox');
  await opened.close();
});

test('forced colors: the first payment differs from the others, and an offer from the quiet button', async () => {
  const opened = await stage.open();
  await opened.page.emulateMedia({ forcedColors: 'active' });
  await opened.mount(quiet);
  const pixel = async (selector: string, nth: number) => {
    const png = await opened.page.locator(selector).nth(nth).screenshot();
    return opened.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      const [x, y] = [Math.floor(image.width / 8), Math.floor(image.height / 2)];
      return [...(canvas?.getImageData(x, y, 1, 1).data ?? [])].join();
    }, png.toString('base64'));
  };
  const ground = (await styleOf(opened, '.svc-widget', 'background-color')).match(/\d+/g)?.join();
  const [first, second] = [await pixel('.svc-payments i', 0), await pixel('.svc-payments i', 1)];
  expect(first).not.toBe(second);
  expect(first).not.toBe(`${ground},255`);
  expect(await styleOf(opened, '.svc-payments i:last-child', 'border-top-width')).toBe('1px');
  const offer = await styleOf(opened, '.svc-button', 'background-color');
  await opened.page.evaluate(() => window.driver.svc.update({ balance: 0 }));
  expect(await styleOf(opened, '.svc-button', 'background-color')).not.toBe(offer);
  await opened.close();
});

test.for(['none', 'active'] as const)(
  'with one color for all, each state of a payment still has its own shape: forced colors %s',
  async (forcedColors) => {
    const states = ['paid', 'processing', 'failed', 'due', 'due'] as const;
    // Segments of 100 px, so that two of one state would look the same.
    const opened = await stage.open({ slot: 'width:566px;height:300px' });
    await opened.page.emulateMedia({ forcedColors });
    stage.service.widgetAnswer = answerOf(
      'has_plan',
      null,
      null,
      states.map((state, at) => ({ due_on: `2026-02-${10 + at}`, state })),
    );
    await opened.mount({ appearance: { variables: { accent: '#000000' } } });
    const segments = opened.page.locator('.svc-payments i');
    await expect.poll(() => segments.count()).toBe(5);
    // If no payment were late, one of the due payments would be the next one.
    await segments.nth(4).evaluate((it) => it.setAttribute('class', 'svc-next'));
    await segments.nth(2).evaluate((it) => it.style.setProperty('--late', '#000000'));
    const pictures = await Promise.all(
      states.map((_, at) => segments.nth(at).screenshot({ animations: 'disabled' })),
    );
    expect(new Set(pictures.map((it) => it.toString('base64'))).size).toBe(states.length);
    await opened.close();
  },
);

test('print: the amount is printed, the button is not', async () => {
  const opened = await stage.open();
  await opened.mount(quiet);
  await opened.page.emulateMedia({ media: 'print' });
  expect(await opened.page.getByText('$1,520.12').isVisible()).toBe(true);
  expect(await opened.page.getByText('See my options').isVisible()).toBe(false);
  await opened.close();
});

test('right to left: the columns change sides, and so does the close button', async () => {
  const opened = await stage.open({
    slot: 'width:700px;height:300px',
    htmlAttributes: 'dir="rtl"',
  });
  await opened.mount(quiet);
  const amount = await opened.page.locator('[part=amount]').boundingBox();
  const button = await opened.page.locator('[part=card] button').boundingBox();
  expect(button?.x).toBeLessThan(amount?.x ?? 0);
  await opened.page.evaluate(() => window.driver.open());
  const dialog = await opened.page.locator('dialog').boundingBox();
  const close = await opened.page.getByRole('button', { name: 'Close' }).boundingBox();
  expect((close?.x ?? 0) - (dialog?.x ?? 0)).toBeLessThan(64);
  await opened.close();
});

test('reduced motion: nothing moves', async () => {
  const opened = await stage.open();
  await opened.page.emulateMedia({ reducedMotion: 'reduce' });
  await opened.mount(quiet);
  await opened.page.evaluate(() => {
    window.driver.svc.update({ onWidgetClickCallback: () => new Promise(() => {}) });
  });
  await opened.page.locator('[part=card] button').click();
  await opened.page.evaluate(() => window.driver.open());
  const moving = await opened.page.evaluate(() =>
    document.getAnimations().map((it) => (it as CSSTransition).transitionProperty ?? 'animation'),
  );
  expect(moving).toEqual([]);
  await opened.close();
});

test.for([
  ['no-preference', ['transform']],
  ['reduce', []],
] as const)(
  'with reduced motion %s, a payment that arrives fills its segment: %o',
  async ([reducedMotion, expected]) => {
    const planned = (second: 'due' | 'paid') =>
      answerOf('has_plan', '2026-02-08', null, [
        { due_on: '2026-02-01', state: 'paid' },
        { due_on: '2026-02-08', state: second },
        { due_on: '2026-02-15', state: 'due' },
      ]);
    stage.service.widgetAnswer = planned('due');
    const opened = await stage.open();
    await opened.page.emulateMedia({ reducedMotion });
    await opened.mount();
    const bar = opened.page.locator('.svc-payments');
    await expect.poll(() => bar.locator('.svc-next').count()).toBe(1);
    stage.service.widgetAnswer = planned('paid');
    const running = opened.page.evaluate(async () => {
      const root = window.driver.svc.createWidget().shadowRoot;
      const segment = root?.querySelector('.svc-payments .svc-next');
      while (segment?.className !== 'svc-paid') await new Promise(requestAnimationFrame);
      const bar = root?.querySelector('.svc-payments');
      return bar
        ?.getAnimations({ subtree: true })
        .map((it) => (it as CSSTransition).transitionProperty);
    });
    await opened.page.evaluate(() => window.driver.open());
    await opened.page.keyboard.press('Escape');
    expect(await running).toEqual(expected);
    await opened.close();
  },
);

test.for([
  ['light', 'light', 'dark'],
  ['dark', 'light dark', 'auto'],
] as const)(
  'no white flashes where it is dark: %s system, %s page, theme %s',
  async ([colorScheme, scheme, theme]) => {
    stage.service.frame = 'dead';
    const head = `<style>:root{color-scheme:${scheme}}</style>`;
    const opened = await stage.open({ colorScheme, head });
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await opened.mount({ ...quiet, appearance: { theme } });
    await page.clock.install();
    await page.evaluate(() => window.driver.open());
    expect(await brightest(page)).toBeLessThan(64);
    await page.clock.runFor(15_000);
    await page.getByText('Your options didn’t load').waitFor();
    stage.service.frame = 'silent';
    await page.getByRole('button', { name: 'Try again' }).click();
    const frame = await opened.frame();
    await frame.waitForFunction(() => window.received.length > 0);
    expect(await styleOf(opened, 'iframe', 'opacity')).toBe('0');
    expect(await brightest(page)).toBeLessThan(64);
    await frame.evaluate(() => window.say({ type: 'ready' }));
    await page.locator('iframe:not([inert])').waitFor();
    expect(await brightest(page)).toBeLessThan(64);
    await opened.close();
  },
);

/** Returns the highest red, green or blue value, from 0 to 255, in the dialog's lower half, which has no text. */
async function brightest(page: Page): Promise<number> {
  const png = await page.screenshot({ clip: { x: 300, y: 420, width: 400, height: 240 } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(40, 24).getContext('2d');
    canvas?.drawImage(image, 0, 0, 40, 24);
    const data = canvas?.getImageData(0, 0, 40, 24).data ?? [255];
    // Every fourth value is opacity.
    return Math.max(...Array.from(data).filter((_, index) => index % 4 < 3));
  }, png.toString('base64'));
}

test('zoomed to 400 %, a page scrolls only vertically, and the dialog’s buttons stay visible', async () => {
  stage.service.frame = 'dead';
  const opened = await stage.open({
    viewport: { width: 320, height: 256 },
    head: '<style>body{margin:0!important}</style>',
    slot: '',
    before: '<main><h1>Portal</h1>',
  });
  const { page } = opened;
  await opened.mount(quiet);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.clock.install();
  await page.evaluate(() => window.driver.open());
  await page.clock.runFor(15_000);
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  for (const button of [retry, page.getByRole('button', { name: 'Close' })]) {
    const { x = -1, y = -1, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(320);
    expect(y + height).toBeLessThanOrEqual(256);
  }
  await opened.close();
});

test('twelve custom properties at most, and three parts, are the whole theme', async () => {
  const opened = await stage.open({
    head: `<style>#slot > ::part(card){padding:3px}#slot > ::part(amount){color:rgb(1,2,3)}
      #slot > ::part(button){border-radius:17px}#slot{--svc-accent:rgb(4,5,6);--svc-radius:5px}</style>`,
  });
  await opened.mount(quiet);
  expect(await styleOf(opened, '[part=card]', 'padding-top')).toBe('3px');
  expect(await styleOf(opened, '[part=amount]', 'color')).toBe('rgb(1, 2, 3)');
  expect(await styleOf(opened, '[part=card] button', 'border-top-left-radius')).toBe('17px');
  expect(await paintedFill(opened.page.locator('[part=card] button'))).toBe('#040506');
  expect(await styleOf(opened, 'div[lang]', 'border-top-left-radius')).toBe('7.5px');
  const theme = await opened.page.evaluate(() => {
    const root = window.driver.svc.createWidget().shadowRoot;
    const css = [...(root?.adoptedStyleSheets[0]?.cssRules ?? [])].map((it) => it.cssText).join();
    const parts = [...(root?.querySelectorAll('[part]') ?? [])].map((it) =>
      it.getAttribute('part'),
    );
    return { properties: new Set(css.match(/--svc-[\w-]+/g)).size, parts };
  });
  expect(theme.properties).toBeLessThanOrEqual(12);
  expect(new Set(theme.parts)).toEqual(new Set(['amount', 'button', 'card']));
  await opened.close();
});

/** Asserts that axe finds no violation in the page in either color scheme. */
async function check({ page }: Opened, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Motion is off, because a color in transition has a different contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([state, colorScheme, await violationsOf(page)]).toEqual([state, colorScheme, []]);
  }
}

test.for(['ltr', 'rtl'])('axe finds nothing in any state, light or dark, %s', async (dir) => {
  const opened = await stage.open({
    htmlAttributes: `dir="${dir}" style="color-scheme:light dark"`,
    before: '<main><h1>Portal</h1>',
    after: '</main>',
  });
  const { page } = opened;
  const card = page.locator('[part=card]');
  for (const [state, text] of [
    ['new', 'Split it into 2, 3 or 4 payments'],
    ['has_plan', 'Next payment: Feb 15'],
    ['unavailable', 'Not available right now'],
    ['refused', 'Not available right now'],
  ] as const) {
    stage.service.widgetAnswer =
      state === 'refused'
        ? refusalOf(401, 'signature_invalid')
        : answerOf(state, state === 'has_plan' ? '2026-02-15' : null);
    await opened.mount();
    await card.getByText(text).waitFor();
    await check(opened, state);
    await page.evaluate(() => window.driver.svc.destroy());
  }
  await opened.mount({ ...quiet, balance: 0 });
  await check(opened, 'nothing due');
  const callback = `() => new Promise((_, reject) => { window.fail = reject; })`;
  await page.evaluate((code) => {
    window.driver.svc.update({ onWidgetClickCallback: window.driver.from(code) });
  }, callback);
  await page.getByRole('button').click();
  await card.getByText('Opening…').waitFor();
  await check(opened, 'busy');
  await page.evaluate('fail()');
  await card.getByText('Try again').waitFor();
  await check(opened, 'missed');
  await page.locator('#slot').evaluate((slot) => {
    slot.style.cssText = 'width:200px;height:150px';
  });
  await opened.event('ERROR');
  await check(opened, 'too small');
  await opened.close();
});

const payments = (['paid', 'failed', 'past_due', 'due'] as const).map((state, index) => ({
  due_on: `2026-02-${10 + index}`,
  state,
}));

test.for([
  ['English', {}],
  ['Spanish', { locale: es }],
] as const)('axe finds nothing in any status in %s, light or dark', async ([, locale]) => {
  const opened = await stage.open({
    slot: 'width:320px;height:480px',
    htmlAttributes: 'style="color-scheme:light dark"',
    before: '<main><h1>Portal</h1>',
    after: '</main>',
  });
  for (const status of widgetStatuses) {
    const hasPlan = ['has_plan', 'payment_failed', 'past_due'].includes(status);
    const data = widgetSessionOf(
      status,
      hasPlan ? '2026-02-12' : null,
      ['too_early', 'unavailable'].includes(status) ? '2026-05-02' : null,
      hasPlan ? payments : [],
    );
    stage.service.reset();
    stage.service.widgetAnswer = { status: 200, body: { error: null, data } };
    await opened.mount(locale);
    await expect.poll(() => stage.service.widgetBodies).toHaveLength(1);
    if (hasPlan) await opened.page.locator('.svc-details li').first().waitFor();
    await check(opened, status);
    await opened.page.evaluate(() => window.driver.svc.destroy());
  }
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test.for(['ltr', 'rtl'])(
  'axe finds nothing in the dialog, loading, failed and open, light or dark, %s',
  async (dir) => {
    stage.service.frame = 'silent';
    const opened = await stage.open({
      htmlAttributes: `dir="${dir}" style="color-scheme:light dark"`,
      before: '<main><h1>Portal</h1>',
      after: '</main>',
    });
    const { page } = opened;
    await opened.mount(quiet);
    await page.clock.install();
    await page.evaluate(() => window.driver.open());
    await page.clock.resume();
    await check(opened, 'loading');
    await page.clock.fastForward(15_000);
    await page.getByText('Your options didn’t load').waitFor();
    await check(opened, 'failed');
    stage.service.frame = 'lively';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('iframe:not([inert])').waitFor();
    await check(opened, 'open');
    await opened.close();
  },
);
