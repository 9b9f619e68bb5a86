import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test.for(['#fde047', '#ffffff', '#000000', '#777777', '#ff0000'])(
  'a rebrand to %s keeps every text readable, light and dark',
  async (accent) => {
    const opened = await stage.open({ state: stateOf(approved), theme: 'light' });
    await opened.frame.locator('.option--tile').first().click();
    for (const theme of ['light', 'dark']) {
      await opened.frame.evaluate(
        ([theme, accent]) => {
          document.documentElement.dataset.theme = theme;
          const { style } = document.documentElement;
          style.setProperty('--svc-brand-accent', accent);
          style.setProperty('--svc-brand-accent-dark', accent);
        },
        [theme, accent] as const,
      );
      const violations = await violationsOf(opened.frame, ['color-contrast', 'link-in-text-block']);
      expect([theme, violations]).toEqual([theme, []]);
    }
    await opened.close();
  },
);
