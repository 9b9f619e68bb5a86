import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tab } from '../../../../scripts/test/browsers/tab.ts';

/** Saves a screenshot to the folder that `SVC_TEST_SCREENS` names. Does nothing if it is not set. */
export async function saveScreen(tab: Tab, name: string): Promise<void> {
  const folder = process.env.SVC_TEST_SCREENS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name.replaceAll(' ', '-')}.png`), await tab.screenshot());
}
