// node rent-page.mjs: a page with the widget, in a real browser, against a sandbox.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { SvcClient, signWidget } from '@svc/node';
import { startSandbox } from '@svc/sandbox';
import { chromium } from 'playwright-core';

const sandbox = await startSandbox();
const { url, apiKey, pms } = sandbox;
const svc = new SvcClient({ apiKey, baseUrl: `${url}/v1` });
const tenant = { externalId: 't-400', balance: 152012 };
const signature = await signWidget({ apiKey, pms, externalId: tenant.externalId });

const page = `<!doctype html><title>Rent</title><div id="rent"></div><script type="module">
  import { Svc } from '/svc.js';
  const svc = Svc({
    ...${JSON.stringify({ ...tenant, pms, signature, environment: 'sandbox', baseUrl: `${url}/v1` })},
    onEvent: (type) => console.log(type),
    async onWidgetClickCallback() {
      const token = await (await fetch('/token', { method: 'POST' })).text();
      await svc.openExperienceAndSetToken(token);
    },
  });
  document.getElementById('rent').append(svc.createWidget());
</script>`;

async function tenantToken() {
  const { token } = await svc.portalInfo(tenant.externalId, {
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: [
      {
        id: 'C-1',
        due_date: new Date().toISOString().slice(0, 10),
        amount_in_cents: tenant.balance,
      },
    ],
  });
  return token;
}

const answers = {
  'GET /': async () => ['text/html', page],
  'GET /svc.js': async () => [
    'text/javascript',
    await readFile(new URL(import.meta.resolve('@svc/core'))),
  ],
  'POST /token': async () => ['text/plain', await tenantToken()],
};
const portal = createServer(async (request, response) => {
  const answer = answers[`${request.method} ${request.url}`];
  const [type, body] = answer ? await answer() : ['text/plain', ''];
  response.writeHead(answer ? 200 : 404, { 'content-type': type }).end(body);
});
await new Promise((resolve) => portal.listen(0, '127.0.0.1', resolve));

// CHROMIUM_OPTIONS is for machines that need other options than Playwright's own.
const browser = await chromium.launch(JSON.parse(process.env.CHROMIUM_OPTIONS ?? '{}'));
try {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${portal.address().port}`);
  await tab.getByRole('button', { name: 'See my options' }).click();
  const heading = tab.frameLocator('dialog iframe').getByRole('heading').first();
  await heading.waitFor();
  const reported = await svc.tenants.get(tenant.externalId);
  assert.equal(reported.rent_cycle.amount_due_in_cents, tenant.balance);
  console.log(`ok: ${await heading.innerText()}`);
} finally {
  await browser.close();
  portal.closeAllConnections();
  portal.close();
  await sandbox.stop();
}
