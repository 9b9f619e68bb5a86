import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SvcClient, verifyWebhook } from '@svc/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCli } from '../../../../packages/cli/src/testing/open-cli.ts';
import { chromiumLaunchOptions } from '../../../../scripts/chromium.mjs';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { startStage } from '../journeys/open-demo.ts';
import { startPage } from './start-page.ts';

let stage: Awaited<ReturnType<typeof startStage>>;
let page: Awaited<ReturnType<typeof startPage>>;
let cli: Awaited<ReturnType<typeof openCli>>;
let secret = '';
/** A receiver that verifies, and does nothing else. */
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(401).end((error as Error).message);
  }
});

beforeAll(async () => {
  stage = await startStage();
  const service = stage.service.listeningAt;
  const apiKey = await runAsSystem(stage.service, (ctx) =>
    seedPartner(ctx, { pms: 'certified', name: 'Certified Residents' }),
  );
  page = await startPage({ service, apiKey, pms: 'certified' });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const svc = new SvcClient({ apiKey, baseUrl: `${service}/v1` });
  const { port } = receiver.address() as AddressInfo;
  const { id } = await svc.webhooks.endpoints.create({ url: `http://127.0.0.1:${port}/` });
  ({ secret } = await svc.webhooks.endpoints.secret(id));
  const { env } = await chromiumLaunchOptions();
  cli = await openCli({ ...env, PATH: '', SVC_URL: service, SVC_API_KEY: apiKey });
});
afterAll(async () => {
  await cli?.close();
  await page?.close();
  receiver.close();
  await stage?.close();
});

test('certifies a receiver and a page, and verifies the report that the service has signed', async () => {
  const { executablePath = '' } = await chromiumLaunchOptions();
  const only = 'raw_body,widget_shown,language';
  const ran = await cli.run([
    'certify',
    '--page',
    page.url,
    '--only',
    only,
    '--browser',
    executablePath,
    '--out',
    'out',
  ]);
  // On a busy machine it has lines about work that takes time.
  expect(ran.errors).not.toContain('svc:');
  expect(ran.code).toBe(0);
  for (const name of ['handshake', 'raw_body', 'widget_shown', 'language']) {
    expect(ran.output).toMatch(new RegExp(`✓ ${name} `));
  }
  const file = join(cli.home, 'out/certify.json');
  const report = JSON.parse(await readFile(file, 'utf8'));
  const shown = report.cases.find((it: { name: string }) => it.name === 'widget_shown');
  expect(shown).toMatchObject({ status: 'pass', reported_by: 'cli' });

  const verified = await cli.run(['certify', 'verify', file]);
  expect(verified.errors).not.toContain('svc:');
  expect(verified.output).toContain('has signed this report, and it was not changed.');
});
