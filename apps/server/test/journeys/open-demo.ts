import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoResidents } from '@svc/demo-portal';
import { chromium, type Page } from 'playwright-core';
import { chromiumLaunchOptions } from '../../../../scripts/chromium.mjs';
import { readConfig } from '../../src/config.ts';
import { startDemoPortal } from '../../src/demo.ts';
import { startService } from '../../src/main.ts';

export type OpenDemo = Awaited<ReturnType<typeof openDemo>>;

/** Starts what `npm start` starts, in its own data folder. */
export async function startStage(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-journey-'));
  const config = readConfig({
    SVC_DATA_DIR: folder,
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_LOG_LEVEL: 'silent',
    PORT: '0',
    DEMO_PORT: '0',
    ...settings,
  });
  const service = await startService(config);
  const demo = await startDemoPortal(service, config);
  return {
    service,
    folder,
    demo,
    async close() {
      await demo.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the stage and Chromium. */
export async function openDemo(settings: Record<string, string> = {}) {
  const stage = await startStage(settings);
  const { demo } = stage;
  const browser = await chromium.launch(await chromiumLaunchOptions());
  const browserErrors: string[] = [];
  return {
    ...stage,
    browser,
    /** Script errors and console errors, such as refused content. */
    browserErrors,
    async openPage(path = '/portal'): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('pageerror', (error) => browserErrors.push(error.message));
      page.on('console', (line) => line.type() === 'error' && browserErrors.push(line.text()));
      page.setDefaultTimeout(15_000);
      await page.goto(demo.origin + path);
      return page;
    },
    async close() {
      await browser.close();
      await stage.close();
    },
  };
}

/** Prepares a resident as the demo does, and opens their page of the portal without the demo around it. */
export async function signInAs(page: Page, name: string): Promise<void> {
  const resident = demoResidents.find((it) => `${it.firstName} ${it.lastName}` === name);
  const { origin } = new URL(page.url());
  // Before the clock is set, rent is "too early" for most of the month. A widget that asks in between
  // reports it to the console.
  await page.goto('about:blank');
  await page.request.post(`${origin}/api/tenants/${resident?.id}/select`);
  await page.goto(`${origin}/portal?tenant=${resident?.id}`);
  await page.getByRole('heading', { name: `Hello, ${name.split(' ')[0]}` }).waitFor();
  await page.getByRole('button', { name: 'See my options' }).waitFor();
}
