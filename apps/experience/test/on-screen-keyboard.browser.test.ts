import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { press, waitForTitle } from './fixture/actions.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { stateOf } from './fixture/states.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const keyboardHeight = 300;

interface Size {
  width: number;
  height: number;
}

/** A form that fills the window, with the focus in its last field. */
async function openForm(viewport: Size): Promise<Opened> {
  const state = withPlan(halfway);
  const it = await stage.open({ state, outside: 'link', browser: { viewport } });
  await press(it, 'Open my plan');
  await press(it, /^Pay early/);
  await waitForTitle(it, 'Confirm it’s you');
  await it.frame.getByLabel(/^Last four digits/).focus();
  return it;
}

/**
 * Opens a keyboard as iOS does: the window keeps its size, and only the visual viewport gets smaller. Chromium
 * cannot show one. `offsetTop` is how far the tenant has scrolled the visible part down.
 */
async function openKeyboard({ frame }: Opened, height: number, offsetTop = 0): Promise<void> {
  await frame.evaluate(
    ([height, offsetTop]) => {
      const viewport = window.visualViewport as VisualViewport;
      const event = viewport.height === height ? 'scroll' : 'resize';
      Object.defineProperty(viewport, 'height', { value: height, configurable: true });
      Object.defineProperty(viewport, 'offsetTop', { value: offsetTop, configurable: true });
      viewport.dispatchEvent(new Event(event));
    },
    [height - keyboardHeight, offsetTop] as const,
  );
}

/** Top and bottom of an element in the window, in whole pixels. */
const edges = (frame: Frame, selector: string) =>
  frame.locator(selector).evaluate((it) => {
    const { top, bottom } = it.getBoundingClientRect();
    return { top: Math.round(top), bottom: Math.round(bottom) };
  });

test('on a tall phone the footer stays above a keyboard that covers the page', async () => {
  const viewport = { width: 390, height: 844 };
  const it = await openForm(viewport);
  const footer = () => edges(it.frame, '.footer');
  expect((await footer()).bottom).toBe(844);
  await openKeyboard(it, viewport.height);
  expect((await footer()).bottom).toBe(544);
  expect((await edges(it.frame, ':focus')).bottom).toBeLessThan((await footer()).top);
  await openKeyboard(it, viewport.height, 120);
  expect((await footer()).top).toBeGreaterThan(120);
  expect((await footer()).bottom).toBeLessThanOrEqual(664);
  await openKeyboard(it, viewport.height + keyboardHeight);
  expect((await footer()).bottom).toBe(844);
  await it.close();
});

test.for([
  { width: 390, height: 664 },
  { width: 320, height: 568 },
])(
  'with a keyboard on $width × $height, the bar and the footer leave their room to the field',
  async (viewport) => {
    const it = await openForm(viewport);
    await openKeyboard(it, viewport.height);
    const visible = viewport.height - keyboardHeight;
    const field = await edges(it.frame, '.svc-field:has(:focus)');
    expect(field.top).toBeGreaterThanOrEqual(0);
    expect(field.bottom).toBeLessThanOrEqual(visible);
    await it.frame.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    expect((await edges(it.frame, '.footer')).bottom).toBe(visible);
    await openKeyboard(it, viewport.height + keyboardHeight);
    expect((await edges(it.frame, '.footer')).bottom).toBe(viewport.height);
    await it.close();
  },
);

test('where the keyboard makes the frame smaller, the field stays visible', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, /^Start my application/);
  await waitForTitle(it, 'Two quick questions');
  await it.frame.getByLabel('What’s your monthly income?').focus();
  await it.page.setViewportSize({ width: 390, height: 340 });
  await expect.poll(async () => (await edges(it.frame, ':focus')).bottom).toBeLessThan(340);
  expect((await edges(it.frame, ':focus')).top).toBeGreaterThanOrEqual(0);
  await it.close();
});
