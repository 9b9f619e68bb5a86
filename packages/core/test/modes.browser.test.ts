import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
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

test('forced colors: the button keeps a visible border, and nothing is said by color alone', async () => {
  const opened = await stage.open();
  await opened.page.emulateMedia({ forcedColors: 'active' });
  await opened.mount(quiet);
  const [border, ground] = [
    await styleOf(opened, '[part=card] button', 'border-top-color'),
    await styleOf(opened, 'div[lang]', 'background-color'),
  ];
  expect(border).toMatch(/^rgb\(/);
  expect(border).not.toBe(ground);
  expect(await opened.page.locator('[part=card]').innerText()).toContain('Sandbox');
  await opened.close();
});

test('print: the amount stays, the button goes', async () => {
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
  const amount = await opened.page.locator('[part=card] b').boundingBox();
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

test('twelve custom properties at most, and three parts, are the whole theme', async () => {
  const opened = await stage.open({
    head: `<style>#slot > ::part(card){padding:3px}#slot > ::part(amount){color:rgb(1,2,3)}
      #slot > ::part(button){border-radius:17px}#slot{--svc-accent:rgb(4,5,6);--svc-radius:5px}</style>`,
  });
  await opened.mount(quiet);
  expect(await styleOf(opened, '[part=card]', 'padding-top')).toBe('3px');
  expect(await styleOf(opened, '[part=card] b', 'color')).toBe('rgb(1, 2, 3)');
  expect(await styleOf(opened, '[part=card] button', 'border-top-left-radius')).toBe('17px');
  expect(await styleOf(opened, '[part=card] button', 'background-color')).toBe('rgb(4, 5, 6)');
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

test('axe finds nothing while busy, missed, right to left, or in a box that is too small', async () => {
  for (const [slot, dir] of [
    ['width:420px;height:300px', 'ltr'],
    ['width:200px;height:150px', 'rtl'],
  ]) {
    const opened = await stage.open({
      slot: slot ?? '',
      htmlAttributes: `dir="${dir}"`,
      before: '<main><h1>Portal</h1>',
      after: '</main>',
    });
    await opened.mount(quiet);
    const found = () => violationsOf(opened.page);
    await opened.page.evaluate(() => {
      window.driver.svc.update({
        onWidgetClickCallback: () =>
          new Promise((_, reject) => {
            (window as unknown as { reject: () => void }).reject = reject;
          }),
      });
    });
    await opened.page.locator('[part=card] button').click();
    await opened.page.getByText('Opening your options').waitFor();
    expect([dir, 'busy', await found()]).toEqual([dir, 'busy', []]);
    await opened.page.evaluate('reject()');
    await opened.page.getByText('Try again').waitFor();
    expect([dir, 'missed', await found()]).toEqual([dir, 'missed', []]);
    await opened.close();
  }
});
