import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chooseLanguage } from './fixture/actions.ts';
import type { Opened, OpenOptions } from './fixture/stage.ts';
import { startStage } from './fixture/stage.ts';
import { scenes } from './scenes.ts';

/** Screenshots of every screen and state on a phone and a desktop, light and dark, in both languages. */
const folder = fileURLToPath(new URL('../../../.screens/experience/', import.meta.url));
const sizes = [
  { name: '390', width: 390, height: 844 },
  { name: '1440', width: 1440, height: 900 },
];

const only = process.argv[2];
const stage = await startStage();
await mkdir(folder, { recursive: true });
try {
  for (const scene of scenes.filter(({ name }) => only === undefined || name.includes(only))) {
    for (const size of sizes) {
      for (const theme of ['light', 'dark'] as const) {
        for (const [call, faults] of Object.entries(scene.faults ?? {})) {
          stage.service.faults.set(call, [...faults]);
        }
        const opened = await stage.open({
          ...scene.open,
          theme,
          browser: { viewport: size, colorScheme: theme, reducedMotion: 'reduce' },
        } satisfies OpenOptions);
        await scene.play(opened);
        stage.service.faults.clear();
        for (const language of ['en', 'es']) {
          if (language === 'es') await chooseLanguage(opened, 'Español');
          await wholePage(opened, size.width);
          const name = `${scene.name}-${size.name}-${theme}-${language}`;
          await opened.page.screenshot({ path: `${folder}${name}.png` });
        }
        await opened.close();
      }
    }
  }
} finally {
  await stage.close();
}

/** Makes the window as high as its content, so that the footer covers nothing. */
async function wholePage({ page, frame }: Opened, width: number): Promise<void> {
  const height = await frame.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, page.viewportSize()?.height ?? 0) });
}
