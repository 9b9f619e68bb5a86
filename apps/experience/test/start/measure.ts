import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcClient, signWidget } from '@svc/node';
import { pino } from 'pino';
import { chromium, type Page } from 'playwright-core';
import { chromiumLaunchOptions } from '../../../../scripts/chromium.mjs';
import { readConfig } from '../../../server/src/config.ts';
import { startService } from '../../../server/src/main.ts';
import { administer } from '../../../server/src/operator/administer.ts';
import { startPortal } from './portal.ts';
import { startSlowLine } from './slow-line.ts';

/**
 * Measures the time from `openExperienceAndSetToken` to the first usable control on a slow phone and
 * connection: cold (nothing is loaded yet) and warmed (the click has preloaded the frame).
 * `npm run bench:start -- [runs]`
 */
const runs = Number(process.argv[2] ?? 10);
const line = { roundTripInMilliseconds: 150, bytesPerMillisecond: 200 };
const slowdown = 4;

const folder = await mkdtemp(join(tmpdir(), 'svc-start-'));
const service = await startService(
  readConfig({ SVC_DATA_DIR: folder, SVC_LOG_LEVEL: 'silent', PORT: '0' }),
);
const created = await administer(
  { ...service, log: pino({ level: 'silent' }) },
  { command: 'partner create', pms: 'elm' },
  { user: 'bench' },
);
if (!created.ok) throw new Error(created.message);
const { api_key: apiKey } = created.result as { api_key: string };
const client = new SvcClient({ apiKey, baseUrl: `${service.origin}/v1` });
const portal = await startPortal(service.origin);
const slowLine = await startSlowLine(line);
const options = await chromiumLaunchOptions();
const browser = await chromium.launch({
  ...options,
  // The frame runs in the page's process, so that it is throttled with the page from its first byte.
  args: [...options.args, '--disable-features=IsolateOrigins,site-per-process'],
  proxy: { server: slowLine.server, bypass: '<-loopback>' },
});
try {
  const [cold, warmed]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    cold.push(await measure(openCold));
    warmed.push(await measure(openWarmed));
  }
  report('cold', cold);
  report('warmed', warmed);
  for (const [path, bytes] of slowLine.received) {
    if (path.includes('/experience')) console.log(`${String(bytes).padStart(8)} B ${path}`);
  }
} finally {
  await browser.close();
  await Promise.all([slowLine.close(), portal.close()]);
  await service.close();
  await rm(folder, { recursive: true });
}

type Open = (page: Page, token: string) => Promise<number>;

/** One run with a new browser profile and a new tenant. */
async function measure(open: Open): Promise<number> {
  const externalId = crypto.randomUUID();
  const today = new Date().toISOString().slice(0, 10);
  const { token } = await client.portalInfo(externalId, {
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: [{ id: 'C-1', due_date: today, amount_in_cents: 152012, amount_paid_in_cents: 0 }],
  });
  const signature = await signWidget({ apiKey, pms: 'elm', externalId });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(`${portal.origin}/?${new URLSearchParams({ externalId, signature })}`);
  await page.getByRole('button', { name: 'See my options' }).waitFor();
  await page.waitForLoadState('networkidle');
  if (token === null) throw new Error('portal_info gave no token');
  const started = await open(page, token);
  const usable = await page.evaluate(() => window.usable);
  await context.close();
  return usable - started;
}

async function openCold(page: Page, token: string): Promise<number> {
  return page.evaluate((it) => window.openNow(it), token);
}

/** The click has preloaded the frame and all its files. Then the token arrives. */
async function openWarmed(page: Page, token: string): Promise<number> {
  const attached = page.waitForEvent('frameattached');
  await page.getByRole('button', { name: 'See my options' }).click();
  const frame = await attached;
  await frame.locator('.skeleton-button').waitFor({ state: 'attached' });
  await frame.waitForLoadState('networkidle');
  return page.evaluate((it) => window.openNow(it), token);
}

function report(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  console.log(
    `${name}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, worst ${at(1)} ms, best ${at(0.01)} ms (${sorted.length} runs)`,
  );
}
