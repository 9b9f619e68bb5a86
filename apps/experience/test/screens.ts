import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defaultLocale, localeInfo, locales } from '@svc/contract';
import type { BrowserContextOptions } from 'playwright-core';
import { chooseLanguage } from './fixture/actions.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

/**
 * Screenshots of every screen and state on a phone and a desktop, light and dark, in both languages, and
 * of ten key screens on other widths, in forced colors, and with text of 200 %. The arguments take
 * only some: a part of the scenes' names, and a part of the looks' names, such as `manage 320`.
 */
const folder = fileURLToPath(new URL('../../../.screens/experience/', import.meta.url));

interface Look {
  name: string;
  width: number;
  browser?: BrowserContextOptions;
  hasLargeText?: boolean;
}

const themes = ['light', 'dark'] as const;
const looks: Look[] = [390, 1440].flatMap((width) =>
  themes.map((theme) => ({ name: `${width}-${theme}`, width, browser: { colorScheme: theme } })),
);
const looksOfKeyScenes: Look[] = [
  { name: '320-light', width: 320 },
  { name: '820-light', width: 820 },
  { name: '820-dark', width: 820, browser: { colorScheme: 'dark' } },
  { name: '390-forced', width: 390, browser: { forcedColors: 'active' } },
  {
    name: '390-forced-dark',
    width: 390,
    browser: { forcedColors: 'active', colorScheme: 'dark' },
  },
  { name: '390-text200', width: 390, hasLargeText: true },
  { name: '1440-text200', width: 1440, hasLargeText: true },
];
const keyScenes = [
  'offer',
  'application-errors',
  'choice-four',
  'account',
  'consent',
  'done',
  'manage',
  'manage-late',
  'manage-cant-pay',
  'declined',
];

const [, , onlyScene = '', onlyLook = ''] = process.argv;
const [stage, large] = await Promise.all([startStage(), startStage({ textSize: 32 })]);
await mkdir(folder, { recursive: true });
try {
  for (const scene of scenes.filter(({ name }) => name.includes(onlyScene))) {
    const all = keyScenes.includes(scene.name) ? [...looks, ...looksOfKeyScenes] : looks;
    for (const look of all.filter(({ name }) => name.includes(onlyLook))) {
      await shoot(look.hasLargeText ? large : stage, scene, look);
    }
  }
} finally {
  await Promise.all([stage.close(), large.close()]);
}

async function shoot(stage: Stage, scene: Scene, { name, width, browser }: Look): Promise<void> {
  const viewport = { width, height: width < 1000 ? 844 : 900 };
  const opened = await playScene(stage, scene, { viewport, reducedMotion: 'reduce', ...browser });
  for (const language of locales) {
    if (language !== defaultLocale) await chooseLanguage(opened, localeInfo[language].name);
    await wholePage(opened, width);
    await opened.page.screenshot({ path: `${folder}${scene.name}-${name}-${language}.png` });
  }
  await opened.close();
}

/** Makes the window as high as its content, so that the footer covers nothing. */
async function wholePage({ page, frame }: Opened, width: number): Promise<void> {
  const height = await frame.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, page.viewportSize()?.height ?? 0) });
}
