import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defaultLocale, localeInfo, locales } from '@svc/contract';
import type { BrowserContextOptions } from 'playwright-core';
import { chooseLanguage } from './fixture/actions.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { asDues } from './fixture/states.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

/**
 * Takes screenshots of every screen and state from a small phone to a desktop, light and dark, in both
 * languages, and as an owner who pays dues sees it, and of ten key screens in forced colors and with 200 %
 * text. The arguments select scenes and looks by a part of their names, such as `manage dark`.
 */
const folder = fileURLToPath(new URL('../../../.screens/experience/', import.meta.url));

interface Look {
  name: string;
  widths: number[];
  browser?: BrowserContextOptions;
  hasLargeText?: boolean;
  /** The tenant is an owner who pays dues. */
  isOwner?: boolean;
}

const widths = [320, 390, 768, 1280];
const looks: Look[] = [
  { name: 'light', widths },
  { name: 'dark', widths, browser: { colorScheme: 'dark' } },
  { name: 'dues', widths: [390, 1280], isOwner: true },
  { name: 'dues-dark', widths: [390, 1280], browser: { colorScheme: 'dark' }, isOwner: true },
];
const looksOfKeyScenes: Look[] = [
  { name: 'forced', widths: [390], browser: { forcedColors: 'active' } },
  {
    name: 'forced-dark',
    widths: [390],
    browser: { forcedColors: 'active', colorScheme: 'dark' },
  },
  { name: 'text200', widths: [390, 1280], hasLargeText: true },
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

async function shoot(stage: Stage, given: Scene, look: Look): Promise<void> {
  const { name, widths, browser, isOwner = false } = look;
  const { open } = given;
  const scene = isOwner ? { ...given, open: { ...open, state: asDues(open.state) } } : given;
  const viewport = viewportOf(widths[0] ?? 390);
  const opened = await playScene(stage, scene, { viewport, reducedMotion: 'reduce', ...browser });
  for (const language of locales) {
    if (language !== defaultLocale) await chooseLanguage(opened, localeInfo[language].name);
    for (const width of widths) {
      await showWholePage(opened, width);
      const path = `${folder}${scene.name}-${width}-${name}-${language}.png`;
      await opened.page.screenshot({ path });
    }
  }
  await opened.close();
}

function viewportOf(width: number): { width: number; height: number } {
  const heights: Record<number, number> = { 320: 568, 390: 844 };
  return { width, height: heights[width] ?? 900 };
}

/** Makes the window as high as its content, so that the footer covers nothing. */
async function showWholePage({ page, frame }: Opened, width: number): Promise<void> {
  let { height } = viewportOf(width);
  // A higher window has a roomier layout, which is higher again.
  for (let turn = 0; turn < 3; turn += 1) {
    await page.setViewportSize({ width, height });
    height = await frame.evaluate(() => document.documentElement.scrollHeight);
  }
}
