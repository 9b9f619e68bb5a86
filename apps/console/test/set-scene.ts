import type { BrowserContextOptions, Page } from 'playwright-core';
import { maple } from './fixture/maple.ts';
import type { Stage } from './fixture/stage.ts';
import type { Scene } from './scenes.ts';

/** Opens a scene's page, plays its steps, and waits until it is ready. */
export async function setScene(
  stage: Stage,
  scene: Scene,
  browser: BrowserContextOptions,
): Promise<Page> {
  const { service } = stage;
  service.reset(structuredClone(scene.partner ?? maple()));
  service.state.environment = scene.environment ?? 'sandbox';
  for (const [call, fault] of Object.entries(scene.faults ?? {})) service.faults.set(call, fault);
  const page = await stage.open({ ...scene.open, browser });
  await scene.play?.(page);
  await page.getByText(scene.shows).first().waitFor({ state: 'attached' });
  return page;
}
