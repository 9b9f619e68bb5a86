import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startStage } from './fixture/stage.ts';
import { scenes } from './scenes.ts';
import { setScene } from './set-scene.ts';

/**
 * Screenshots of every scene at three widths, light and dark, and at the widest with high contrast:
 * `tsx screens.ts [name filter] [width]`.
 */
const folder = fileURLToPath(new URL('../../../.screens/console/', import.meta.url));
const sizes = [
  { width: 390, height: 844, hasTouch: true, isMobile: true },
  { width: 820, height: 1100 },
  { width: 1440, height: 900 },
];
const looks = [
  { name: 'light', colorScheme: 'light' },
  { name: 'dark', colorScheme: 'dark' },
  { name: 'contrast', colorScheme: 'light', contrast: 'more' },
  { name: 'contrast-dark', colorScheme: 'dark', contrast: 'more' },
] as const;

const [only = '', width = ''] = process.argv.slice(2);
const stage = await startStage();
await mkdir(folder, { recursive: true });
try {
  for (const scene of scenes.filter(({ name }) => name.includes(only))) {
    for (const { hasTouch = false, isMobile = false, ...viewport } of sizes) {
      if (!String(viewport.width).includes(width)) continue;
      for (const look of looks) {
        if ('contrast' in look && viewport.width < 1440) continue;
        const { name, ...scheme } = look;
        const browser = {
          viewport,
          hasTouch,
          isMobile,
          reducedMotion: 'reduce',
          ...scheme,
        } as const;
        const page = await setScene(stage, scene, browser);
        if (viewport.width < 1440) await wholePage(page, viewport);
        await page.screenshot({
          path: `${folder}${scene.name}-${viewport.width}-${name}.png`,
        });
        await page.context().close();
      }
    }
  }
} finally {
  await stage.close();
}
for (const complaint of new Set(stage.complaints)) console.error(complaint);

/** Makes the viewport as tall as the content, so that fixed elements stay in place. */
async function wholePage(page: Page, viewport: { width: number; height: number }): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: viewport.width, height: Math.max(height, viewport.height) });
}
