import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordsOfRent } from '../../../scripts/test/words-of-rent.ts';
import { chooseLanguage } from './fixture/actions.ts';
import { cutOff, tooWide } from './fixture/layout-faults.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { asDues } from './fixture/states.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test.for(scenes)(
  '$name says nothing of rent to an owner, and fits a narrow phone',
  async ({ open, ...scene }) => {
    const owner = { ...scene, open: { ...open, state: asDues(open.state) } };
    const opened = await playScene(stage, owner);
    await opened.page.setViewportSize({ width: 320, height: 640 });
    await opened.frame.waitForFunction(() => innerWidth === 320);
    const body = opened.frame.locator('body');
    for (const language of ['English', 'Español'] as const) {
      if (language !== 'English') await chooseLanguage(opened, language);
      // The folded text of an agreement and the labels that only screen readers get count as well.
      const texts = [await body.textContent(), await body.ariaSnapshot()];
      expect(wordsOfRent(texts.join('\n')), language).toEqual([]);
      expect(await tooWide(opened.frame), language).toEqual([]);
      expect(await cutOff(opened.frame), language).toEqual([]);
    }
    await opened.close();
  },
);
