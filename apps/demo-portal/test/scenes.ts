import type { Page } from 'playwright-core';
import type { Stage } from './fixture/stage.ts';

export interface Scene {
  name: string;
  path: string;
  /** Runs before the page opens. */
  prepare?(stage: Stage): Promise<void> | void;
  /** Runs in the open page until it is ready. */
  play(page: Page, stage: Stage): Promise<void>;
}

const signedIn = (name: string) => async (page: Page) => {
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('button', { name: /see my options/i }).waitFor();
};

/** Every page of the demo in every state. */
export const scenes: Scene[] = [
  { name: 'home-rent', path: '/?tenant=res-1042', play: signedIn('Hello, Ada') },
  { name: 'home-declined', path: '/?tenant=res-1077', play: signedIn('Hello, Ben') },
  { name: 'home-hoa', path: '/?tenant=own-2210', play: signedIn('Hello, Carol') },
  { name: 'home-preloaded', path: '/?tenant=res-1103', play: signedIn('Hello, Dev') },
  {
    name: 'home-paid',
    path: '/?tenant=res-1042',
    async play(page, stage) {
      await signedIn('Hello, Ada')(page);
      await stage.paySettlement();
      await page.getByText('Paid by Svc').first().waitFor();
      stage.service.plans.set('res-1042', { planId: 'pln_01jd', settlementId: 'stl_01jd' });
      await page.reload();
      await page.getByRole('button', { name: 'Manage plan' }).waitFor();
    },
  },
  {
    name: 'payments',
    path: '/payments?tenant=res-1042',
    async play(page) {
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    },
  },
  {
    name: 'payments-paid',
    path: '/payments?tenant=res-1042',
    async play(page, stage) {
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
      await stage.paySettlement();
      await page.getByText('Paid by Svc').first().waitFor();
    },
  },
  {
    name: 'lease',
    path: '/lease?tenant=res-1042',
    async play(page) {
      await page.getByRole('heading', { level: 1, name: 'Lease' }).waitFor();
    },
  },
  {
    name: 'property',
    path: '/lease?tenant=own-2210',
    async play(page) {
      await page.getByRole('heading', { level: 1, name: 'Property' }).waitFor();
    },
  },
  {
    name: 'happened',
    path: '/?tenant=res-1042',
    async play(page, stage) {
      await signedIn('Hello, Ada')(page);
      await stage.paySettlement();
      await stage.sendForgery();
      const drawer = page.locator('.drawer');
      if (!(await drawer.isVisible())) {
        await page.getByRole('button', { name: /what just happened/i }).click();
      }
      await drawer.getByText('Not verified: mismatch').last().waitFor();
    },
  },
  {
    name: 'details',
    path: '/?tenant=res-1042',
    async play(page) {
      await signedIn('Hello, Ada')(page);
      const drawer = page.locator('.drawer');
      if (!(await drawer.isVisible())) {
        await page.getByRole('button', { name: /what just happened/i }).click();
      }
      await drawer.getByText('Request and response').last().click();
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
  {
    name: 'plain',
    path: '/plain?tenant=res-1042',
    async play(page) {
      await signedIn('Hello, Ada')(page);
      await page.locator('#list li').first().waitFor();
    },
  },
];

/** Resets the fixture between scenes. */
export async function clean(stage: Stage): Promise<void> {
  await fetch(`${stage.demo.origin}/api/tenants/res-1042/start-over`, { method: 'POST' });
}
