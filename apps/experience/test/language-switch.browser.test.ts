import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumLaunchOptions } from '../../../scripts/chromium.mjs';
import { violationsOf } from '../../../scripts/test/axe.ts';

let browser: Browser;
let html: string;
beforeAll(async () => {
  [browser, html] = await Promise.all([
    chromiumLaunchOptions().then((options) => chromium.launch(options)),
    buildHeader(),
  ]);
});
afterAll(() => browser.close());

/** A page with the experience's header, built with a third language in the locale registry. */
async function buildHeader(): Promise<string> {
  let isAdded = false;
  const result = await build({
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      {
        name: 'third-language',
        transform(code, id) {
          if (!/packages\/contract\/(src|dist)\/locales\.[jt]s$/.test(id)) return null;
          isAdded = /\ben: \{/.test(code);
          const added = `vi: { name: 'Tiếng Việt', direction: 'ltr', tag: 'vi-US' }`;
          return code.replace(/\ben: \{.*\},/, (english) => `${english} ${added},`);
        },
      },
    ],
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('fixture/header.tsx', import.meta.url)),
        formats: ['iife'],
        name: 'header',
        cssFileName: 'header',
      },
    },
  });
  if (!isAdded) throw new Error('the locale registry was not built');
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((it) =>
    'output' in it ? it.output : [],
  );
  const script = outputs.map((it) => (it.type === 'chunk' ? it.code : '')).join('');
  const style = outputs.map((it) => (it.type === 'asset' ? String(it.source) : '')).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Header</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style>
    </head><body><div id="app"></div><script>${script.replaceAll('</script', '<\\/script')}</script>`;
}

async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme });
  const page = await context.newPage();
  await page.setContent(html);
  await page.getByRole('combobox', { name: 'Language' }).waitFor();
  return page;
}

const cases = [320, 360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme })),
);

test.for(cases)(
  'three languages are a list next to back and progress: $width px, $theme',
  async ({ width, theme }) => {
    const page = await open(width, theme);
    const list = page.getByRole('combobox', { name: 'Language' });
    expect(await list.getByRole('option').allInnerTexts()).toEqual([
      'English',
      'Tiếng Việt',
      'Español',
    ]);
    for (const control of [list, page.getByRole('button', { name: 'Back' })]) {
      const box = await control.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    expect(await page.locator('.progress__bars i').evaluateAll(widthsInside)).toHaveLength(4);
    expect(await violationsOf(page)).toEqual([]);

    await list.selectOption('Tiếng Việt');
    // The last 64 px of the bar belong to the SDK's close button, also with large text.
    for (const size of ['100%', '200%']) {
      await page.evaluate((it) => {
        document.documentElement.style.fontSize = it;
      }, size);
      const box = await list.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width - 64);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.context().close();
  },
);

/** The widths of the bars that can be seen whole. */
function widthsInside(bars: Element[]): number[] {
  const parent = bars[0]?.closest('.progress')?.getBoundingClientRect();
  return bars
    .map((bar) => bar.getBoundingClientRect())
    .filter((box) => box.width >= 2 && box.right <= (parent?.right ?? 0) + 0.5)
    .filter((box) => box.top >= (parent?.top ?? 0) && box.bottom <= (parent?.bottom ?? 0))
    .map((box) => box.width);
}

test('the keyboard chooses among three languages, and the list keeps the focus', async () => {
  const page = await open(360, 'light');
  const list = page.getByRole('combobox', { name: 'Language' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => list.evaluate((it) => it === document.activeElement)).toBe(true);
  expect(await list.evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid');
  await page.keyboard.press('End');
  await page.getByRole('combobox', { name: 'Idioma' }).waitFor();
  const spanish = page.getByRole('combobox', { name: 'Idioma' });
  expect(await spanish.inputValue()).toBe('es-US');
  expect(await spanish.evaluate((it) => it === document.activeElement)).toBe(true);
  await page.context().close();
});
