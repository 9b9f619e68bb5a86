import type { Page } from 'playwright-core';
import type { Partner } from '../fixture/maple.ts';
import type { Fault } from '../fixture/service.ts';
import type { OpenOptions } from '../fixture/stage.ts';

/** One page in one state: how to get there, and a text that appears once it is reached. */
export interface Scene {
  name: string;
  open: OpenOptions;
  partner?: Partner;
  faults?: Record<string, Fault>;
  environment?: 'production';
  play?: (page: Page) => Promise<void>;
  /** A text that is in the page once the scene is ready. */
  shows: string;
}

/** Waits until a skeleton is visible. Skeletons appear after 150 ms so that fast responses do not flash. */
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
  certifications: [],
  tenants: [],
  payouts: [],
  settlements: [],
  requests: [],
  apiKeys: [],
  origins: { allowed_origins: [], app_schemes: [] },
};
