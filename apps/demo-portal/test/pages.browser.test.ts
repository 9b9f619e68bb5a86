import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { clean, scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test.each(scenes)(
  '$name is accessible and fits, wide and light, narrow and dark',
  async (scene) => {
    await clean(stage);
    await scene.prepare?.(stage);
    const { page, faults } = await stage.open(scene.path, {
      viewport: { width: 1440, height: 844 },
      colorScheme: 'light',
    });
    await scene.play(page, stage);
    await isAccessibleAndFits(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForFunction(() => innerWidth === 390);
    await isAccessibleAndFits(page);
    // The browser logs HTTP errors. Anything else, including a CSP violation, is a failure.
    expect(faults.filter((fault) => !fault.includes('502'))).toEqual([]);
    await page.context().close();
  },
);

async function isAccessibleAndFits(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
}
