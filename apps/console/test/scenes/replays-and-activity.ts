import type { Page } from 'playwright-core';
import { nobody, type Scene } from './scene.ts';

export const replaysAndActivity: Scene[] = [
  { name: 'replays', open: { path: '/replays' }, shows: '9,210 of 18,400' },
  { name: 'replays-empty', open: { path: '/replays' }, partner: nobody, shows: 'No replays yet' },
  { name: 'replay', open: { path: '/replays/rpl_01sample3' }, shows: '9,120 delivered' },
  {
    name: 'replay-cancel',
    open: { path: '/replays/rpl_01sample3' },
    play: (page) => page.getByRole('button', { name: 'Cancel replay' }).click(),
    shows: 'will not be sent again',
  },
  { name: 'replay-missing', open: { path: '/replays/rpl_gone' }, shows: 'could not be loaded' },
  { name: 'replay-new', open: { path: '/replays/new' }, shows: 'No messages match' },
  {
    name: 'replay-new-filled',
    open: { path: '/replays/new?endpoint_id=ep_01sample2' },
    async play(page) {
      await page.getByLabel('Custom range').check();
      await page.getByLabel('Since').fill('2026-02-20T09:00');
      await page.getByLabel('Already delivered').check();
      await page.getByLabel('Selected events').check();
      await page.getByLabel('Plan', { exact: true }).check();
    },
    shows: 'Send 2 messages again',
  },
  {
    name: 'replay-new-read-only',
    open: { path: '/replays/new', readOnly: true },
    shows: 'not send anything',
  },
  { name: 'activity', open: { path: '/activity' }, play: plotted, shows: 'of attempts succeed' },
  {
    name: 'activity-chosen',
    open: { path: '/activity?days=7' },
    async play(page) {
      const chart = page.getByRole('img', { name: 'Attempts' });
      await plotted(page);
      await chart.focus();
      await chart.press('ArrowLeft');
      await page.getByText('Show as a table').click();
    },
    shows: 'Sun, Mar 1',
  },
  {
    name: 'activity-quiet',
    open: { path: '/activity' },
    partner: nobody,
    shows: 'Nothing was sent in this period',
  },
  {
    name: 'audit-log',
    open: { path: '/activity?view=audit-log' },
    shows: 'Started a replay of 18,400 messages',
  },
  {
    name: 'audit-log-none',
    open: { path: '/activity?view=audit-log&group=test' },
    shows: 'No entries match',
  },
  { name: 'sessions', open: { path: '/activity?view=sessions' }, shows: 'Sign everyone out' },
];

async function plotted(page: Page): Promise<void> {
  await page.locator('.u-over').nth(1).waitFor();
}
