import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startStage } from './fixture/stage.ts';
import { clean, scenes } from './scenes.ts';

/** Screenshots of every scene on a phone, a tablet, and two desktops, light and dark. */
const folder = fileURLToPath(new URL('../../../.screens/demo/', import.meta.url));
const sizes = [
  { name: '390', width: 390, height: 844 },
  { name: '768', width: 768, height: 1024 },
  { name: '1280', width: 1280, height: 800 },
  { name: '1440', width: 1440, height: 900 },
];

const only = process.argv[2];
await mkdir(folder, { recursive: true });
for (const scene of scenes.filter(({ name }) => only === undefined || name.includes(only))) {
  const stage = await startStage();
  for (const size of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await clean(stage);
      await scene.prepare?.(stage);
      const { page, faults } = await stage.open(scene.path, { viewport: size, colorScheme });
      await scene.play(page, stage);
      await page.screenshot({
        path: `${folder}${scene.name}-${size.name}-${colorScheme}.png`,
        // The demo fills the window; the portal's pages are longer.
        fullPage: scene.path.startsWith('/portal'),
      });
      await page.context().close();
      for (const fault of faults) console.warn(`${scene.name}: ${fault}`);
    }
  }
  await stage.close();
}
