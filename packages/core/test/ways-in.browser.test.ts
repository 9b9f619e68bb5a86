import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import type { SvcSettings } from '../src/index.ts';
import type { createMessage } from '../src/message/create-message.ts';
import type { SvcWidgetElement } from '../src/tag/define-svc-widget.ts';
import type { contrastOf } from '../src/testing/contrast-of.ts';
import { bundleExtra, type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  const [element, message, testing] = await Promise.all([
    bundleExtra('src/tag/define-svc-widget.ts'),
    bundleExtra('src/message/create-message.ts'),
    bundleExtra('src/testing/index.ts'),
  ]);
  stage = await startStage({
    'element.js': element,
    'message.js': message,
    'testing.js': testing,
    'listen.js': `import '/driver.js';
      import { defineSvcWidget } from '/element.js';
      const widget = document.querySelector('svc-widget');
      widget.addEventListener('svc-event', ({ detail }) => driver.events.push([detail.type, detail.data]));
      defineSvcWidget(); defineSvcWidget();
      document.documentElement.dataset.listening = '';`,
  });
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

/** Opens a page with this markup, and waits until its script has defined the element. */
async function openTag(tag: string): Promise<Opened> {
  const after = `${tag}<script type="module" src="/listen.js"></script>`;
  const opened = await stage.open({ slot: 'display:none', after });
  await opened.page.locator('html[data-listening]').waitFor({ state: 'attached' });
  return opened;
}

const tag = (more = '') => `<svc-widget balance="152012" pms="maple" external-id="t-100"
  environment="sandbox" identity-check="open" signature="${'5'.repeat(64)}"
  base-url="${stage.service.origin}" ${more}></svc-widget>`;

test('<svc-widget> renders its attributes, dispatches its events and opens', async () => {
  const opened = await openTag(tag('product-variant="hoa"'));
  await opened.event('WIDGET_READY');
  expect(await opened.page.locator('[part=card]').innerText()).toContain('Association dues');
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.event('WIDGET_CLICKED');
  await opened.page.evaluate(() => {
    const widget = document.querySelector('svc-widget') as SvcWidgetElement;
    void widget.openExperienceAndSetToken('svc_tt_1');
  });
  await opened.page.locator('iframe:not([inert])').waitFor();
  await opened.page.keyboard.press('Escape');
  expect(await opened.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'dismissed' });
  expect(await opened.types()).not.toContain('ERROR');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('<svc-widget> changes in place, survives a move, and is removed with its element', async () => {
  const opened = await openTag(`${tag()}<main></main>`);
  await opened.event('WIDGET_READY');
  const card = await opened.page.locator('[part=card]').elementHandle();
  await opened.page.evaluate(() => {
    const widget = document.querySelector('svc-widget');
    widget?.setAttribute('balance', '700');
    document.querySelector('main')?.append(widget as Element);
  });
  expect(await card?.innerText()).toContain('$7.00');
  expect(await card?.evaluate((it) => it.isConnected)).toBe(true);
  const inside = await opened.page.evaluate(async () => {
    const widget = document.querySelector('svc-widget') as SvcWidgetElement;
    widget.settings = { token: 'svc_tt_early' };
    await Promise.resolve();
    void widget.openExperienceAndSetToken('svc_tt_1');
    widget.remove();
    await Promise.resolve();
    return [widget.childElementCount, document.querySelectorAll('dialog').length];
  });
  expect(inside).toEqual([0, 0]);
  expect(await opened.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'destroyed' });
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('<svc-widget> keeps its widget when the page is morphed into what the server sends', async () => {
  const opened = await openTag(tag());
  await opened.event('WIDGET_READY');
  await opened.page.evaluate(() => {
    const widget = document.querySelector('svc-widget') as SvcWidgetElement;
    void widget.openExperienceAndSetToken('svc_tt_1');
  });
  await opened.page.locator('iframe:not([inert])').waitFor();
  // A morph removes the children and attributes that the server's HTML does not have.
  await opened.page.evaluate(() => {
    const widget = document.querySelector('svc-widget');
    widget?.replaceChildren();
    widget?.removeAttribute('style');
  });
  await opened.page.locator('svc-widget > div').waitFor();
  expect(await opened.page.locator('svc-widget').getAttribute('style')).toContain('250px');
  expect(await opened.page.locator('dialog:modal').count()).toBe(1);
  await opened.page.keyboard.press('Escape');
  await opened.event('EXPERIENCE_CLOSED');
  expect((await opened.types()).filter((type) => type === 'WIDGET_READY')).toHaveLength(1);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a page that is cloned and shown again, as Turbo does, has one working widget', async () => {
  const opened = await openTag(tag());
  await opened.event('WIDGET_READY');
  await opened.page.evaluate(() => {
    const copy = document.body.cloneNode(true);
    document.body.replaceWith(document.createElement('body'));
    document.body.replaceWith(copy);
  });
  await opened.page.getByRole('button', { name: 'See my options' }).waitFor();
  expect(await opened.page.locator('svc-widget > *').count()).toBe(1);
  // This also holds for a page that appends the element of `createWidget()` to a slot that has content.
  await opened.page.evaluate(() => {
    window.driver.mount({ identityCheck: 'open' });
    const slot = document.getElementById('slot') as HTMLElement;
    slot.replaceWith(slot.cloneNode(true));
    window.driver.mount({ identityCheck: 'open' });
  });
  expect(await opened.page.locator('#slot > *').count()).toBe(1);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('wrong attributes of <svc-widget> are reported once, and right ones show the widget', async () => {
  const opened = await openTag(tag().replace('152012', '1520.12'));
  expect(await opened.event('ERROR')).toMatchObject({
    code: 1000,
    msg: 'balance: 1520.12 is not an integer. Pass cents, such as 152012.',
  });
  await opened.page.evaluate(() => {
    document.querySelector('svc-widget')?.setAttribute('balance', '152012');
  });
  await opened.event('WIDGET_READY');
  expect((await opened.types()).filter((type) => type === 'ERROR')).toHaveLength(1);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the message renders at once, follows its amount and hides for amounts that cannot be split', async () => {
  const opened = await stage.open({
    before: '<main><h1>Portal</h1>',
    after: '</main>',
    csp: "default-src 'none'; script-src 'self'; style-src 'none'; img-src data:; trusted-types 'none'; require-trusted-types-for 'script'",
  });
  const texts = await opened.page.evaluate(async () => {
    type Made = Promise<{ createMessage: typeof createMessage }>;
    const made = await window.driver.from<Made>("import('/message.js')");
    const message = made.createMessage({ amount: 152012 });
    document.getElementById('slot')?.append(message.element);
    const seen = [message.element.shadowRoot?.textContent];
    message.update({ amount: 4999 });
    seen.push(String(message.element.checkVisibility()));
    message.update({ amount: 20000, count: 2, fee: 0 });
    return [...seen, message.element.shadowRoot?.textContent];
  });
  expect(texts).toEqual([
    expect.stringMatching(/^4 payments of \$380\.03First payment .* 70\.0% APR/),
    'false',
    expect.stringMatching(/^2 payments of \$100\.00First payment .* No fee/),
  ]);
  expect(await opened.page.evaluate(() => window.violations)).toEqual([]);
  expect(stage.service.requests).toEqual([]);
  expect(await violationsOf(opened.page)).toEqual([]);
  await opened.close();
});

test('the experience page for tests runs a split and a decline through the real SDK', async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open());
  const frame = opened.page.frameLocator('dialog iframe');
  await frame.getByRole('button', { name: 'Be declined' }).click();
  await opened.event('USER_DECLINED');
  await frame.getByRole('button', { name: 'Split it' }).click();
  expect(await opened.event('SPLIT_RENT')).toMatchObject({ settlement_id: 'stl_test' });
  await opened.page.keyboard.press('Escape');
  expect(await opened.event('EXPERIENCE_CLOSED')).toEqual({
    reason: 'completed',
    last_step: 'done',
  });
  await opened.close();
});

test('the fake replaces the real SDK in a page', async () => {
  const opened = await stage.open();
  const seen = await opened.page.evaluate(async () => {
    const fakes = (await window.driver.from("import('/testing.js')")) as typeof window.sdk;
    const svc = fakes.Svc({
      ...window.driver.settings,
      onWidgetClickCallback: async () => void svc.openExperienceAndSetToken('svc_tt_1'),
    });
    const widget = svc.createWidget();
    document.getElementById('slot')?.append(widget);
    widget.querySelector('button')?.click();
    await new Promise((resolve) => setTimeout(resolve));
    return [widget.textContent, window.driver.events.map(([type]) => type)];
  });
  expect(seen).toEqual([
    'Balance $1,520.12. See my options',
    expect.arrayContaining(['WIDGET_READY', 'WIDGET_CLICKED', 'EXPERIENCE_OPENED']),
  ]);
  expect(stage.service.requests).toEqual([]);
  await opened.close();
});

test.for(['#fde047', '#ffffff', '#000000', '#757575', '#777777', '#ff0000', '#0000ff', '#22c55e'])(
  'text on the accent %s has a contrast of at least 4.5, by the setting or by CSS',
  async (accent) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const opened = await stage.open({
        colorScheme,
        htmlAttributes: 'style="color-scheme:light dark"',
        head: `<style>#slot{--svc-accent:${accent}}</style>`,
      });
      const contrasts = (appearance: SvcSettings['appearance']) =>
        opened.page.evaluate(async (appearance) => {
          type Testing = Promise<{ contrastOf: typeof contrastOf }>;
          const testing = await window.driver.from<() => Testing>("() => import('/testing.js')")();
          window.driver.svc.update({ appearance });
          return testing.contrastOf(window.driver.svc.createWidget());
        }, appearance);
      await opened.mount({ identityCheck: 'open' });
      for (const appearance of [{}, { variables: { accent } }]) {
        const pale = (await contrasts(appearance)).filter(({ enough }) => !enough);
        expect([colorScheme, appearance, pale]).toEqual([colorScheme, appearance, []]);
      }
      // The focus ring is a line on the surface: 3:1 is enough there.
      await opened.page.getByRole('button').focus();
      await opened.page.keyboard.press('Tab');
      await opened.page.keyboard.press('Shift+Tab');
      const ring = await opened.page.getByRole('button').evaluate((button) => {
        const luminance = (color: string) => {
          const canvas = new OffscreenCanvas(1, 1).getContext('2d');
          if (!canvas) throw new Error('no canvas');
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const linear = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          const [red = 0, green = 0, blue = 0] = linear;
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const root = button.closest('.svc-widget') as HTMLElement;
        const both = [
          getComputedStyle(button).outlineColor,
          getComputedStyle(root).backgroundColor,
        ];
        const [dark = 0, light = 0] = both.map(luminance).sort((one, other) => one - other);
        return (light + 0.05) / (dark + 0.05);
      });
      expect(ring).toBeGreaterThanOrEqual(3);
      await opened.close();
    }
  },
);

test('contrastOf finds the colors that are too pale, and none among ours', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const opened = await stage.open({
      colorScheme,
      htmlAttributes: 'style="color-scheme:light dark"',
    });
    await opened.mount({ identityCheck: 'open' });
    const pale = () =>
      opened.page.evaluate(async () => {
        type Testing = Promise<{ contrastOf: typeof contrastOf }>;
        const testing = await window.driver.from<() => Testing>("() => import('/testing.js')")();
        const found = testing.contrastOf(window.driver.svc.createWidget());
        return found.filter(({ enough }) => !enough).map(({ text }) => text);
      });
    expect([colorScheme, await pale()]).toEqual([colorScheme, []]);
    await opened.page.evaluate(() => {
      const variables = { accent: 'oklch(0.9 0.1 180)', 'on-accent': 'white' };
      window.driver.svc.update({ appearance: { variables } });
    });
    expect(await pale()).toEqual(['See my options']);
    await opened.close();
  }
});
