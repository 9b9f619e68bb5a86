import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { maple } from './fixture/maple.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { scenes } from './scenes.ts';
import { setScene } from './set-scene.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** All rules run at the widest and narrowest size, one in each theme. In between, only overflow is checked. */
const looks = [
  { width: 1440, colorScheme: 'light', rules: true },
  { width: 820, colorScheme: 'light', rules: false },
  { width: 390, colorScheme: 'dark', rules: true },
] as const;

test.for(scenes)('$name has no violations in both themes and three widths', async (scene) => {
  stage.complaints.length = 0;
  // Few rows are enough, and every rule visits each element.
  const partner = scene.partner ?? maple(scene.name === 'messages' ? 60 : 12);
  const page = await setScene(stage, { ...scene, partner }, { reducedMotion: 'reduce' });
  for (const { width, colorScheme, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const found = rules ? await violationsOf(page) : [];
    expect(found, `${width} ${colorScheme}`).toEqual([]);
    // Charts resize one frame later.
    await expect.poll(() => tooWide(page), { message: `${width}` }).toEqual([]);
  }
  expect(stage.complaints).toEqual([]);
  await page.context().close();
});

/** The elements that make the page scroll horizontally. Lists and code scroll inside their own containers. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('body *')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.className} ${element.textContent?.slice(0, 40)}`),
  );
}
