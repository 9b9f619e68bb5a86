import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startStage } from './fixture/stage.ts';
import { scenes, setScene } from './scenes.ts';

/** Screenshots of every scene at three widths, light and dark: `tsx screens.ts [name filter] [width]`. */
const folder = fileURLToPath(new URL('../../../.screens/operator/', import.meta.url));
const sizes = [
  { width: 390, height: 844, hasTouch: true, isMobile: true },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];

const [only = '', width = ''] = process.argv.slice(2);
const stage = await startStage();
await mkdir(folder, { recursive: true });
try {
  for (const scene of scenes.filter(({ name }) => name.includes(only))) {
    for (const { hasTouch = false, isMobile = false, ...viewport } of sizes) {
      if (!String(viewport.width).includes(width)) continue;
      for (const colorScheme of ['light', 'dark'] as const) {
        const look = {
          viewport,
          hasTouch,
          isMobile,
          colorScheme,
          reducedMotion: 'reduce',
        } as const;
        const page = await setScene(stage, scene, look);
        const path = `${folder}${scene.name}-${viewport.width}-${colorScheme}.png`;
        await page.screenshot({ path });
        await page.context().close();
      }
    }
  }
} finally {
  await stage.close();
}
for (const complaint of new Set(stage.complaints)) console.error(complaint);
