import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { englishIn } from '../../../scripts/test/english-in.ts';
import { chooseLanguage } from './fixture/actions.ts';
import { smallTargets, tooWide } from './fixture/layout-faults.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { stateOf } from './fixture/states.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** All blocked screens have the same layout, so test the longest, the shortest and the one with a button. */
const testedBlocks = ['past_due_balance', 'open_plan', 'amount_above_cap'];
const shown = scenes.filter(
  ({ name }) =>
    !name.startsWith('blocked-') || testedBlocks.includes(name.slice('blocked-'.length)),
);

test.for(shown)('$name has no violations, light and dark, in both languages', async (scene) => {
  const opened = await playScene(stage, scene);
  const { frame } = opened;
  expect(await violationsOf(frame)).toEqual([]);
  await frame.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  expect(await violationsOf(frame, ['color-contrast', 'link-in-text-block'])).toEqual([]);
  expect(await smallTargets(frame)).toEqual([]);
  expect(await tooWide(frame)).toEqual([]);
  await chooseLanguage(opened, 'Español');
  expect(await violationsOf(frame)).toEqual([]);
  expect(await tooWide(frame)).toEqual([]);
  expect(await leftInEnglish(frame)).toEqual([]);
  await opened.close();
});

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
    // An agreement stays in the language in which it was accepted.
    for (const it of document.querySelectorAll('.agreement[lang=en]')) it.textContent = '';
    const heard = [...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')];
    const labels = heard.flatMap((it) => [...it.attributes].map(({ value }) => value));
    return [document.title, document.body.innerText, ...labels].join('\n');
  });
  return englishIn(shown, ['February rent']);
}
