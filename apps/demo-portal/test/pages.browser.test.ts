import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';
import { clean, scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

for (const scene of scenes) {
  for (const { width, colorScheme } of looks) {
    test(`${scene.name} is accessible at ${width} px, ${colorScheme}`, async () => {
      await clean(stage);
      await scene.prepare?.(stage);
      const options = { viewport: { width, height: 844 }, colorScheme };
      const { page, faults } = await stage.open(scene.path, options);
      await scene.play(page, stage);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      // A refusal is logged by the browser itself; anything else, a CSP violation too, is a fault.
      expect(faults.filter((fault) => !fault.includes('502'))).toEqual([]);
      await page.context().close();
    });
  }
}
