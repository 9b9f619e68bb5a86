import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumLaunchOptions } from '../../../../scripts/chromium.mjs';
import { readConfig } from '../../src/config.ts';
import { startDemoPortal } from '../../src/demo.ts';
import { startService } from '../../src/main.ts';

export type OpenDemo = Awaited<ReturnType<typeof openDemo>>;

/** What `npm start` starts, in a folder of its own, and a browser before it. */
export async function openDemo() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-journey-'));
  const config = readConfig({
    SVC_DATA_DIR: folder,
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_LOG_LEVEL: 'silent',
    PORT: '0',
    DEMO_PORT: '0',
  });
  const service = await startService(config);
  const demo = await startDemoPortal(service, config);
  const browser = await chromium.launch(await chromiumLaunchOptions());
  const complaints: string[] = [];
  return {
    service,
    folder,
    demo,
    browser,
    /** What the browser complained of: script errors, refused content. */
    complaints,
    async openPage(path = ''): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
      page.setDefaultTimeout(15_000);
      await page.goto(demo.origin + path);
      return page;
    },
    async close() {
      await browser.close();
      await demo.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Chooses a resident of the demo; the widget stands. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name }).check({ force: true });
  await page.getByRole('heading', { name: `Hello, ${name.split(' ')[0]}` }).waitFor();
  await page.getByRole('button', { name: 'See my options' }).waitFor();
}
