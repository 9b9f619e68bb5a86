import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tab } from '../../../../scripts/test/browsers/tab.ts';

/** Saves what is on screen to the folder that `SVC_TEST_SCREENS` names, to look at it. */
export async function saveScreen(tab: Tab, name: string): Promise<void> {
  const folder = process.env.SVC_TEST_SCREENS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name.replaceAll(' ', '-')}.png`), await tab.screenshot());
}
