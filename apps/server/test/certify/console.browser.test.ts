import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcClient, verifyWebhook } from '@svc/node';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCli } from '../../../../packages/cli/src/testing/open-cli.ts';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { type OpenDemo, openDemo } from '../journeys/open-demo.ts';

let demo: OpenDemo;
let svc: SvcClient;
let cli: Awaited<ReturnType<typeof openCli>>;
let secret = '';
/** True while the receiver verifies the parsed body, serialized as JSON again. */
let isMistaken = true;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  try {
    const body = isMistaken ? Buffer.from(JSON.stringify(JSON.parse(raw.toString()))) : raw;
    verifyWebhook(body, request.headers, secret);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(401).end((error as Error).message);
  }
});

beforeAll(async () => {
  demo = await openDemo();
  const service = demo.service.listeningAt;
  const apiKey = await runAsSystem(demo.service, (ctx) =>
    seedPartner(ctx, { pms: 'certified', name: 'Certified Residents' }),
  );
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  svc = new SvcClient({ apiKey, baseUrl: `${service}/v1` });
  const { port } = receiver.address() as AddressInfo;
  const { id } = await svc.webhooks.endpoints.create({ url: `http://127.0.0.1:${port}/` });
  ({ secret } = await svc.webhooks.endpoints.secret(id));
  cli = await openCli({ SVC_URL: service });
});
afterAll(async () => {
  await cli?.close();
  receiver.close();
  await demo?.close();
});

function caseRow(page: Page, name: string) {
  return page.locator('.case', { has: page.getByText(name, { exact: true }) });
}

test('the console runs the cases, names the mistake of a receiver, and finishes with a report that verifies', async () => {
  const { url } = await svc.webhookPortalUrl({ scope: 'admin' });
  const page = await demo.browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', (error) => demo.browserErrors.push(error.message));
  await page.goto(url);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('link', { name: 'Certify' }).click();
  await page.getByRole('link', { name: 'New run' }).click();
  await page.getByRole('button', { name: 'Start the run' }).click();
  const mistake = caseRow(page, 'raw_body');
  await mistake.getByText('verifies the parsed body, not the raw bytes').waitFor();
  await mistake.getByText('Read the raw body before any JSON parser').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('No case is running in this tab').waitFor();

  await mistake.locator('.step summary').first().click();
  await mistake.getByText('HTTP 401').waitFor();
  isMistaken = false;
  await mistake.getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => mistake.innerText()).toContain('Passed');

  // The tab was closed halfway: another one continues with the next case.
  await page.reload();
  await page.getByText('No case is running in this tab').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await caseRow(page, 'rotated_secret').getByText('Passed').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('No case is running in this tab').waitFor();
  await page.getByRole('button', { name: 'Finish and sign' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finish and sign' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const path = await (await downloading).path();
  const verified = await cli.run(['certify', 'verify', path]);
  expect(verified.output).toContain('has signed this report, and it was not changed.');
  expect(demo.browserErrors).toEqual([]);
  await page.close();
});
