import type { Page } from 'playwright-core';
import { portalOf, type Stage } from './fixture/stage.ts';

export interface Scene {
  name: string;
  path: string;
  /** Runs before the page opens. */
  prepare?(stage: Stage): Promise<void> | void;
  /** Runs in the open page until it is ready. */
  play(page: Page, stage: Stage): Promise<void>;
}

const signedIn = (name: string) => async (page: Page) => {
  const portal = portalOf(page);
  await portal.getByRole('heading', { level: 1, name }).waitFor();
  await portal.getByRole('button', { name: /see my options/i }).waitFor();
};

const titled = (title: string) => async (page: Page) => {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
};

async function openActivity(page: Page) {
  const activity = page.locator('.panel--activity');
  if (!(await activity.isVisible())) {
    await page.getByRole('button', { name: /^Activity/ }).click();
  }
  return activity;
}

/** The demo and each page of the portal, in every state. */
export const scenes: Scene[] = [
  { name: 'home-rent', path: '/?tenant=res-1042', play: signedIn('Hello, Ada') },
  { name: 'home-declined', path: '/?tenant=res-1077', play: signedIn('Hello, Ben') },
  { name: 'home-hoa', path: '/?tenant=own-2210', play: signedIn('Hello, Carol') },
  { name: 'home-preloaded', path: '/?tenant=res-1103', play: signedIn('Hello, Dev') },
  {
    name: 'home-paid',
    path: '/?tenant=res-1042.split',
    async play(page) {
      await page.getByRole('status').getByText('The first payment went through').waitFor();
      await portalOf(page).getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
    },
  },
  {
    name: 'guide',
    path: '/?tenant=res-1042.past_due',
    async play(page) {
      await portalOf(page).getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
      const guide = page.getByRole('button', { name: 'Guide: Past due' });
      if (await guide.isVisible()) await guide.click();
    },
  },
  {
    name: 'happened',
    path: '/?tenant=res-1042',
    async play(page, stage) {
      await signedIn('Hello, Ada')(page);
      await stage.paySettlement();
      await stage.sendForgery();
      const activity = await openActivity(page);
      await activity.getByText('Not verified: mismatch').last().waitFor();
    },
  },
  {
    name: 'details',
    path: '/?tenant=res-1042',
    async play(page) {
      await signedIn('Hello, Ada')(page);
      const activity = await openActivity(page);
      await activity.getByText('Request and response').last().click();
    },
  },
  {
    name: 'failed',
    path: '/?tenant=res-1042',
    prepare: (stage) => stage.service.refuse(/portal_info/, 401, 'invalid_credentials'),
    async play(page) {
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'portal', path: '/portal?tenant=res-1042', play: titled('Hello, Ada') },
  {
    name: 'portal-citrus',
    path: '/portal?tenant=res-1042',
    async play(page) {
      await page.evaluate(() => localStorage.setItem('brand', 'citrus'));
      await page.reload();
      await titled('Hello, Ada')(page);
    },
  },
  { name: 'payments', path: '/portal/payments?tenant=res-1042', play: titled('Payments') },
  {
    name: 'payments-paid',
    path: '/portal/payments?tenant=res-1042',
    async play(page, stage) {
      await titled('Payments')(page);
      await stage.paySettlement();
      await page.getByText('Paid by Svc').first().waitFor();
    },
  },
  { name: 'lease', path: '/portal/lease?tenant=res-1042', play: titled('Lease') },
  { name: 'property', path: '/portal/lease?tenant=own-2210', play: titled('Property') },
  { name: 'plain', path: '/plain?tenant=res-1042', play: titled('Hello, Ada') },
];

/** Resets the fixture between scenes. */
export async function clean(stage: Stage): Promise<void> {
  await fetch(`${stage.demo.origin}/api/tenants/res-1042/start-over`, { method: 'POST' });
}
