import type { Page } from 'playwright-core';
import type { Fault } from './fixture/service.ts';
import type { OpenOptions, Stage } from './fixture/stage.ts';

/** One page in one state: how to get there, and a text that appears once it is reached. */
export interface Scene {
  name: string;
  open: OpenOptions;
  faults?: Record<string, Fault>;
  environment?: 'production';
  play?: (page: Page) => Promise<void>;
  shows: string;
}

/** Every page in every state, for the accessibility test and the screenshots. */
export const scenes: Scene[] = [
  { name: 'link', open: { path: '#good-link', role: null }, shows: 'This link is yours alone' },
  {
    name: 'link-used',
    open: { path: '#used-link', role: null },
    play: (page) => page.getByRole('button', { name: 'Sign in' }).click(),
    shows: 'This link no longer works',
  },
  { name: 'signed-out', open: { role: null }, shows: 'To get a link' },
  {
    name: 'unreachable',
    open: {},
    faults: { 'GET /session': 'internal_error' },
    shows: 'The console can’t be reached',
  },
  { name: 'home', open: {}, shows: 'Home' },
  { name: 'home-production', open: {}, environment: 'production', shows: 'Real money' },
  {
    name: 'person',
    open: { role: 'support' },
    play: (page) => page.getByRole('button', { name: 'You' }).click(),
    shows: 'Session ends at the latest',
  },
  {
    name: 'shortcuts',
    open: {},
    play: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
    },
    shows: 'Show this list',
  },
  {
    name: 'quick-dialog',
    open: {},
    play: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
    },
    shows: 'Home',
  },
  { name: 'not-found', open: { path: '/nowhere' }, shows: 'Page not found' },
];

/** Opens a scene's page, plays its steps, and waits until it is ready. */
export async function setScene(
  { service, open }: Stage,
  scene: Scene,
  browser: OpenOptions['browser'],
): Promise<Page> {
  service.reset();
  service.state.environment = scene.environment ?? 'sandbox';
  for (const [call, fault] of Object.entries(scene.faults ?? {})) service.faults.set(call, fault);
  const page = await open({ ...scene.open, ...(browser && { browser }) });
  await scene.play?.(page);
  await page.getByText(scene.shows).first().waitFor({ state: 'attached' });
  return page;
}
