import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumLaunchOptions } from '../../../../scripts/chromium.mjs';
import { readConfig } from '../../src/config.ts';
import { type Started, startService } from '../../src/main.ts';
import { administer } from '../../src/operator/administer.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const received: { headers: string; body: string }[] = [];
const answer = { status: 204 };
const browserErrors: string[] = [];
let browser: Browser;
let service: Started;
let receiver: Server;
let folder: string;
let key: string;
let hook: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-journey-'));
  const config = readConfig({
    SVC_DATA_DIR: folder,
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_LOG_LEVEL: 'silent',
    PORT: '0',
    DEMO_PORT: '0',
  });
  service = await startService(config);
  const request = { command: 'partner create', pms: 'maple' } as const;
  const made = await administer({ ...service, log: quiet, revoked: () => {} }, request, {
    user: 'ops',
  });
  if (!made.ok) throw new Error(made.message);
  key = (made.result as { api_key: string }).api_key;
  receiver = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += String(chunk);
    });
    incoming.on('end', () => {
      received.push({ headers: JSON.stringify(incoming.headers), body });
      response.writeHead(answer.status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  browser = await chromium.launch(await chromiumLaunchOptions());
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  receiver?.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function call<T = unknown>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${service.origin}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data, error } = (await response.json()) as { data: T; error: unknown };
  if (error) throw new Error(JSON.stringify(error));
  return data;
}

async function openConsole(query = ''): Promise<Page> {
  const { url } = await call<{ url: string }>('GET', `/partner/webhook_portal_url${query}`);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('console', (line) => line.type() === 'error' && browserErrors.push(line.text()));
  await page.goto(url);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await goTo(page, 'Endpoints');
  return page;
}

async function goTo(page: Page, section: string): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Console' });
  await rail.getByRole('link', { name: section }).click();
  await page.getByRole('heading', { name: section, level: 1 }).waitFor();
}

/** Number of attempts of each message that is still failing. */
async function attemptCounts(): Promise<number[]> {
  const path = '/webhooks/messages?state=retrying';
  const { items } = await call<{ items: { deliveries: { attempts_made: number }[] }[] }>(
    'GET',
    path,
  );
  return items.map(({ deliveries: [delivery] }) => delivery?.attempts_made ?? 0);
}

function rowsOf(page: Page, tone: string): () => Promise<number> {
  return () => page.locator(`.message-row .${tone}`).count();
}

test('a partner developer handles an outage with the console alone', async () => {
  const page = await openConsole();
  await page.getByRole('link', { name: 'Add endpoint' }).click();
  await page.getByLabel('URL').fill(hook);
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('heading', { name: hook }).waitFor();

  await page.getByRole('link', { name: 'Send a test' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Delivered · 204').waitFor();

  answer.status = 503;
  for (const number of [1, 2, 3]) {
    const data = { plan_id: `pln_${number}` };
    await call('POST', '/webhooks/messages', { event_type: 'plan.updated', data });
  }
  await goTo(page, 'Messages');
  await expect.poll(rowsOf(page, 'tone-warn')).toBe(3);
  await page.locator('.message-row').first().click();
  await page.getByText('your server failed while handling it').waitFor();

  await page.goto(`${service.origin}/portal/endpoints`);
  await page.getByText('503,').waitFor();
  // The first retry is after 5 s, the next after 5 minutes. After it, only the replay sends.
  await expect.poll(attemptCounts).toEqual([2, 2, 2]);
  answer.status = 204;
  await goTo(page, 'Replays');
  await page.getByRole('link', { name: 'Replay messages' }).click();
  await page.getByRole('button', { name: 'Send 3 messages again' }).click();
  await page.getByText('3 delivered, of 3 messages.').waitFor();
  await page.getByText('Completed').waitFor();
  await goTo(page, 'Messages');
  await expect.poll(rowsOf(page, 'tone-good')).toBe(3);

  await goTo(page, 'Activity');
  await page.getByText('3 delivered').waitFor();
  await page.getByText(/[3-9] failed/).waitFor();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByText('Started a replay of 3 messages').waitFor();
  await page.getByText('Opened this console with a link').waitFor();
  await page.context().close();
  expect(browserErrors).toEqual([]);
});

test('a received request verifies in the debugger with the copied secret', async () => {
  const page = await openConsole();
  await page.getByRole('link', { name: new RegExp(hook) }).click();
  await page.getByRole('button', { name: 'Copy the secret' }).click();
  await page.getByText('Copied').waitFor();
  const secret = await page.evaluate<string>('navigator.clipboard.readText()');
  await goTo(page, 'Endpoints');
  await page.getByRole('link', { name: 'Debugger' }).click();
  const [last] = received.slice(-1);
  await page.getByLabel('Headers').fill(last?.headers ?? '');
  await page.getByLabel('Body').fill(last?.body ?? '');
  await page.getByLabel('Signing secret').fill(secret);
  await page.getByText('This request is genuine and unchanged').waitFor();
  await page.getByRole('button', { name: 'Compare with the sent message' }).click();
  await page.getByText('Matches what was sent, byte for byte.').waitFor();
  await page.context().close();
  expect(browserErrors).toEqual([]);
});

test('an admin link explains a refused call, replaces a key and sets the origins', async () => {
  await call('POST', '/tenant/portal_info/t-7', { email: 'ada@example.com' }).catch(() => {});
  const page = await openConsole('?scope=admin&person=Ada');
  await goTo(page, 'Requests');
  await page.locator('.request-row', { hasText: 'validation_failed' }).click();
  await page.getByRole('heading', { name: 'POST /v1/tenant/portal_info/t-7' }).waitFor();
  await page.getByText('first_name is required').first().waitFor();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied').waitFor();
  const curl = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(curl).toContain(`curl -X POST '${service.origin}/v1/tenant/portal_info/t-7'`);
  expect(curl).toContain('{"email":"[redacted]"}');

  await page.goto(`${service.origin}/portal/api-keys`);
  await page.getByRole('button', { name: 'Rotate Unnamed key' }).click();
  await page.getByLabel('Not at all. It leaked; revoke it now.').check();
  await page.getByRole('button', { name: 'Create new key' }).click();
  const shown = page.getByRole('region', { name: 'New API key' }).locator('.secret__value');
  const old = key;
  key = await shown.innerText();
  expect(key).toMatch(/^svc_sandbox_/);
  const refused = await fetch(`${service.origin}/v1/settlements`, {
    headers: { authorization: `Bearer ${old}` },
  });
  expect(refused.status).toBe(401);
  await page.getByRole('button', { name: 'Done, it is stored' }).click();
  await page.getByRole('button', { name: 'Show 1 revoked' }).waitFor();
  expect(await page.content()).not.toContain(key);

  await page.goto(`${service.origin}/portal/origins`);
  await page.getByRole('button', { name: 'Add origin' }).click();
  await page.getByRole('textbox', { name: 'Origin 1' }).fill('portal.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('start it with https:// or http://').waitFor();
  await page.getByRole('textbox', { name: 'Origin 1' }).fill('https://portal.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the allowed origins').waitFor();
  expect(await call('GET', '/partner/allowed_origins')).toEqual({
    allowed_origins: ['https://portal.example'],
    app_schemes: [],
  });
  await page.context().close();
  // The browser reports the refused list as a failed request.
  expect(browserErrors.splice(0).filter((line) => !line.includes('422'))).toEqual([]);

  const plain = await openConsole();
  await plain.goto(`${service.origin}/portal/api-keys`);
  await plain.getByText('Your link reaches webhooks only').waitFor();
  await plain.getByText('webhook_portal_url?scope=admin').waitFor();
  await plain.context().close();
  expect(browserErrors).toEqual([]);
});

test('an admin link runs a scenario and reports the debit of its settlement', async () => {
  await call('POST', '/simulation/t-9/scenario', { scenario: 'approved' });
  const page = await openConsole('?scope=admin&person=Ada');
  await page.goto(`${service.origin}/portal/tenants/t-9`);
  await page.getByLabel('Take the tenant to').selectOption('split');
  await page.getByLabel('Payments').selectOption('3');
  await page.getByRole('button', { name: 'Run scenario' }).click();
  const created = page.getByRole('region', { name: 'Scenario' });
  await created.getByRole('link', { name: 'plan.created' }).click();
  await page.getByRole('heading', { name: 'plan.created' }).waitFor();
  await page.goBack();
  await page.goto(`${service.origin}/portal/settlements?external_id=t-9`);
  await page.locator('.settlement-row').click();
  await page.getByRole('button', { name: 'Money arrived' }).click();
  await page.getByLabel('Your debit’s id').fill('tr_42');
  await page.getByRole('button', { name: 'Mark as verified' }).click();
  await page.getByText('The settlement is verified').waitFor();
  expect(await call('GET', '/settlements?external_id=t-9')).toMatchObject({
    items: [{ status: 'verified', processor_transaction_id: 'tr_42' }],
  });
  await page.context().close();
  expect(browserErrors).toEqual([]);
});

test('a read-only link shows everything and changes nothing', async () => {
  const page = await openConsole('?read_only=true');
  for (const section of ['Messages', 'Event catalog', 'Testing', 'Replays', 'Activity']) {
    await goTo(page, section);
  }
  await page.getByText(/\d+ delivered/).waitFor();
  const refused = await page.evaluate(() =>
    fetch('/v1/webhooks/endpoints', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://evil.example' }),
    }).then((response) => response.status),
  );
  expect(refused).toBe(403);
  await page.context().close();
});
