import { SvcClient } from '@svc/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAsSystem, seedPartner } from '../src/seed-partner.ts';
import { type OpenDemo, openDemo } from './journeys/open-demo.ts';

let demo: OpenDemo;
let svc: SvcClient;

beforeAll(async () => {
  demo = await openDemo();
  const apiKey = await runAsSystem(demo.service, (ctx) =>
    seedPartner(ctx, { pms: 'forked', name: 'Forked Residents' }),
  );
  svc = new SvcClient({ apiKey, baseUrl: `${demo.service.listeningAt}/v1` });
});
afterAll(() => demo?.close());

test('the console copies a tenant, fails the next payment, and shows what both see', async () => {
  await svc.simulation.scenario('t-1', { scenario: 'split' });
  const { url } = await svc.webhookPortalUrl({ scope: 'admin' });
  const page = await demo.browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', (error) => demo.browserErrors.push(error.message));
  await page.goto(url);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const change = { fail_next_payment: 'R01' } as const;
  const { external_id: copy } = await svc.simulation.fork('t-1', { change });
  await svc.simulation.advanceClock(copy, { by: 'P12D' });
  const address = `/portal/time-machine?tenant=t-1&copy=${encodeURIComponent(copy)}`;
  await page.goto(new URL(address, url).href);
  for (const tenant of ['t-1', copy]) {
    await page.getByRole('button', { name: `Show what ${tenant} sees` }).click();
    const screen = page.frameLocator(`iframe[title="What ${tenant} sees"]`);
    await screen.getByText('Nothing can be changed').waitFor();
  }
  const [before, after] = ['t-1', copy].map((tenant) =>
    page.frameLocator(`iframe[title="What ${tenant} sees"]`),
  );
  // In the copy, the second payment failed and was paid a day later.
  await before?.getByText('1 of 4 payments made').waitFor();
  await after?.getByText('2 of 4 payments made').waitFor();
  // The frame follows what happens to the tenant.
  await page.getByRole('button', { name: 'Advance 7 days' }).click();
  await after?.getByText('3 of 4 payments made').waitFor();
  await before?.getByText('1 of 4 payments made').waitFor();
  expect(demo.browserErrors).toEqual([]);
});
