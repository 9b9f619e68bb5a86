import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { englishIn } from '../../../scripts/test/english-in.ts';
import { chooseLanguage } from './fixture/actions.ts';
import {
  cutOff,
  freeHeight,
  incompleteFields,
  smallTargets,
  spaceText,
  tooWide,
} from './fixture/layout-faults.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { stateOf } from './fixture/states.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
let large: Stage;
beforeAll(async () => {
  [stage, large] = await Promise.all([startStage(), startStage({ textSize: 32 })]);
});
afterAll(() => Promise.all([stage.close(), large.close()]));

/** A theme changes only colors, so the other rules run once. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Runs axe in both themes. */
async function violationsInBothThemes(frame: Frame): Promise<string[]> {
  const setTheme = (theme: string) =>
    frame.evaluate((it) => {
      document.documentElement.dataset.theme = it;
    }, theme);
  const light = await violationsOf(frame);
  await setTheme('dark');
  const dark = await violationsOf(frame, colorRules);
  await setTheme('light');
  return [...light, ...dark];
}

test.for(scenes)(
  '$name has no violations in both languages and themes, and shows everything with more spacing',
  async (scene) => {
    const opened = await playScene(stage, scene);
    const { frame } = opened;
    const heard = [await frame.locator('body').ariaSnapshot()];
    expect(await violationsInBothThemes(frame)).toEqual([]);
    expect(await smallTargets(frame)).toEqual([]);
    expect(await incompleteFields(frame)).toEqual([]);
    expect(await tooWide(frame)).toEqual([]);
    await chooseLanguage(opened, 'Español');
    heard.push(await frame.locator('body').ariaSnapshot());
    expect(await violationsInBothThemes(frame)).toEqual([]);
    expect(await tooWide(frame)).toEqual([]);
    expect(await leftInEnglish(frame)).toEqual([]);
    await narrow(opened);
    await spaceText(frame);
    for (const language of ['Español', 'English'] as const) {
      if (language !== 'Español') await chooseLanguage(opened, language);
      expect(await tooWide(frame), language).toEqual([]);
      expect(await cutOff(frame), language).toEqual([]);
    }
    await opened.close();
    // The text that a screen reader announces, in English and in Spanish. `npm run snapshots` updates the files.
    await expect(`${heard.join('\n---\n')}\n`).toMatchFileSnapshot(`./snapshots/${scene.name}.yml`);
  },
);

test.for(scenes)('$name shows everything at 320 px with text of 200 %', async (scene) => {
  const opened = await playScene(large, scene);
  await narrow(opened);
  for (const language of ['English', 'Español'] as const) {
    if (language !== 'English') await chooseLanguage(opened, language);
    expect(await tooWide(opened.frame), language).toEqual([]);
    expect(await cutOff(opened.frame), language).toEqual([]);
    expect(await freeHeight(opened.frame)).toBeGreaterThan(0.5);
  }
  await opened.close();
});

/** Makes the window as narrow as the narrowest phone. */
async function narrow({ page, frame }: Opened): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await frame.waitForFunction(() => innerWidth === 320);
}

test('the accessibility check finds violations, of all rules or of one', async () => {
  const opened = await stage.open({ state: stateOf() });
  await opened.frame.evaluate(() => document.body.append(document.createElement('img')));
  expect((await violationsOf(opened.frame)).join()).toContain('image-alt');
  expect(await violationsOf(opened.frame, ['image-alt'])).toHaveLength(1);
  expect(await violationsOf(opened.frame, ['color-contrast'])).toEqual([]);
  await opened.close();
});

/** English text and labels on a Spanish screen. The portal's own texts are allowed. */
async function leftInEnglish(frame: Frame): Promise<string[]> {
  const shown = await frame.evaluate(() => {
    // An agreement stays in the language in which it was accepted, and a reason or key factor that the decision
    // service gave in English only is marked as English.
    for (const it of document.querySelectorAll(':is(.agreement, li)[lang=en]')) it.textContent = '';
    const heard = [...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')];
    const labels = heard.flatMap((it) => [...it.attributes].map(({ value }) => value));
    return [document.title, document.body.innerText, ...labels].join('\n');
  });
  return englishIn(shown, ['February rent', 'January rent', 'Late fee']);
}
