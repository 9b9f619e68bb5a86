import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { scenes, setScene } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 768, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

test.for(scenes)('$name has no violations in both themes and three widths', async (scene) => {
  stage.complaints.length = 0;
  const page = await setScene(stage, scene, { reducedMotion: 'reduce' });
  for (const { width, colorScheme } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsOf(page), `${width} ${colorScheme}`).toEqual([]);
    expect(await tooWide(page), `${width}`).toEqual([]);
  }
  expect(stage.complaints).toEqual([]);
  await page.context().close();
});

/** The elements that make the page scroll horizontally. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('body *')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.className} ${element.textContent?.slice(0, 40)}`),
  );
}
