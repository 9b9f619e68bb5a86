import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseLanguage } from './fixture/actions.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
  // With this delay, a scene that does not wait for everything that its screen loads always fails. Without
  // it, the scene would fail only now and then, on a busy machine.
  stage.service.latency = 200;
});
afterAll(() => stage.close());

/** Reads the snapshot of the same screen without a translator, which accessibility.full.test.ts writes. */
function untranslated(scene: string): Promise<string> {
  return readFile(new URL(`./snapshots/${scene}.yml`, import.meta.url), 'utf8');
}

// The language switch changes every text of the screen in place.
test.for(scenes)(
  '$name says the same if the browser translates it from the first text on',
  async (scene) => {
    const opened = await playScene(stage, {
      ...scene,
      open: { ...scene.open, isTranslated: true },
    });
    const body = opened.frame.locator('body');
    const heard = [await body.ariaSnapshot()];
    await chooseLanguage(opened, 'Español');
    heard.push(await body.ariaSnapshot());
    await opened.close();
    expect(`${heard.join('\n---\n')}\n`).toBe(await untranslated(scene.name));
  },
);
