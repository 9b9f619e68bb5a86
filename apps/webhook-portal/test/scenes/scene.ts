import type { Page } from 'playwright-core';
import type { Partner } from '../fixture/maple.ts';
import type { Fault } from '../fixture/service.ts';
import type { OpenOptions } from '../fixture/stage.ts';

/** One state of one page: how to get there, and what shows that it is there. */
export interface Scene {
  name: string;
  open: OpenOptions;
  partner?: Partner;
  faults?: Record<string, Fault>;
  environment?: 'production';
  play?: (page: Page) => Promise<void>;
  /** Visible once the scene stands. */
  shows: string;
}

/** Skeletons come after 150 ms, so that a fast answer never flashes. */
export async function skeletonShown(page: Page): Promise<void> {
  const opacity = () =>
    [...document.querySelectorAll('.svc-skeleton')].some(
      (bar) => getComputedStyle(bar).opacity === '1',
    );
  await page.waitForFunction(opacity);
}

export const nobody: Partner = {
  endpoints: [],
  messages: [],
  attempts: [],
  replays: [],
  audit: [],
};
