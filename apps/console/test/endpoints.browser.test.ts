import { expect, test } from 'vitest';
import { delivery, now } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const writes = () => stage.service.writes();
const plans = '/endpoints/ep_01sample2';

test('creating an endpoint opens its page', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByRole('link', { name: 'Add endpoint' }).click();
  const url = page.getByLabel('URL');
  await url.fill('hooks.example');
  await page.getByText('Not a complete URL yet').waitFor();
  await url.fill('https://hooks.example/svc');
  await page.getByLabel('Description').fill('Night shift');
  await page.getByLabel('Selected events').check();
  await page.getByLabel('Search event types').fill('settle');
  await page.getByLabel('settlement.created').check();
  await page.getByLabel('Search event types').fill('');
  await page.getByLabel('Plan', { exact: true }).check();
  expect(await page.getByLabel('plan.canceled').isChecked()).toBe(true);
  await page.getByLabel('Header', { exact: true }).check();
  await page.getByLabel('Header name').fill('x-key');
  await page.getByLabel('Value', { exact: true }).fill('s3cret');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('heading', { name: 'https://hooks.example/svc' }).waitFor();
  expect(writes().map(({ call, body }) => ({ call, body }))).toEqual([
    {
      call: 'POST /webhooks/endpoints',
      body: {
        url: 'https://hooks.example/svc',
        description: 'Night shift',
        event_types: ['settlement.created', 'plan.*'],
        channels: null,
        uid: null,
        throttle_per_second: null,
        disable_on_gone: false,
        filter: null,
        honor_retry_after: false,
        ordered: false,
        asymmetric_signature: false,
        auth: { type: 'header', name: 'x-key', value: 's3cret' },
        headers: {},
      },
    },
  ]);
  expect(writes()[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  await page.context().close();
});

test('an error from the service is shown at its field', async () => {
  const page = await stage.open({ path: '/endpoints/new' });
  await page.getByLabel('URL').fill('https://hooks.example/svc');
  await page.getByText('Headers, rate limit, channels, filter, and more').click();
  await page.getByLabel('Maximum per second').fill('20000');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const field = page.getByLabel('Maximum per second');
  await page.waitForFunction(() => document.querySelector('.more__rate[aria-invalid="true"]'));
  const error = await field.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${error}"]`).textContent()).toContain('10000');
  expect(stage.service.state.partner.endpoints).toHaveLength(3);
  await page.context().close();
});

test('a stored event type that does not exist is rejected at its field and can be removed', async () => {
  const stored = stage.service.state.partner.endpoints.find(({ id }) => plans.endsWith(id));
  if (stored) stored.event_types = ['plan.*', 'settlement.craeted'];
  const page = await stage.open({ path: `${plans}/edit` });
  await page.getByLabel('tenant.updated').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page
    .locator('fieldset.types')
    .getByText('"settlement.craeted" is not an event type. Did you mean settlement.created?')
    .waitFor();
  await page.locator('fieldset.types input:focus').waitFor();
  await page.getByLabel('settlement.craeted').click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved').waitFor();
  expect(stored?.event_types).toEqual(['plan.*', 'tenant.updated']);
  await page.context().close();
});

test('an invalid form sends nothing and focuses the invalid field', async () => {
  const page = await stage.open({ path: '/endpoints/new' });
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.locator('input[type="url"]:focus').waitFor();
  await page.getByLabel('URL').fill('https://hooks.example');
  await page.getByLabel('Selected events').check();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByText('Choose at least one type').waitFor();
  expect(writes()).toEqual([]);
  await page.context().close();
});

test('the filter shows which past messages it lets through while it is typed', async () => {
  const page = await stage.open({ path: `${plans}/edit` });
  await page.getByText('Headers, rate limit, channels, filter, and more').click();
  const filter = page.getByLabel('Filter');
  const stored = stage.service.state.partner;
  const tenant = stored.messages.find(({ external_id }) => external_id !== null)?.external_id ?? '';
  await page.getByLabel('All events').check();
  await filter.fill('external_id = ');
  await page.getByText('Line 1').waitFor();
  await filter.fill(`external_id = ${tenant}`);
  const matching = stored.messages.filter(({ external_id }) => external_id === tenant);
  const result = `Matches ${matching.length} of the newest ${stored.messages.length} messages.`;
  await page.getByText(result).waitFor();
  expect(await page.locator('.filter-preview li').count()).toBe(Math.min(5, matching.length));
  await filter.fill('external_id = nobody-has-this');
  await page.getByText('None of your messages matches this filter.').waitFor();
  await filter.fill(`external_id in ${tenant}, t-2\ndata.reason missing`);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved').waitFor();
  expect(stored.endpoints.find(({ id }) => plans.endsWith(id))?.filter).toEqual([
    { field: 'external_id', in: [tenant, 't-2'] },
    { field: 'data.reason', exists: false },
  ]);
  await page.getByText('data.reason missing').waitFor();
  await page.context().close();
});

test('the order of a tenant’s messages is switched on, shown, and explained at a message that waits', async () => {
  const page = await stage.open({ path: `${plans}/edit` });
  await page.getByText('Headers, rate limit, channels, filter, and more').click();
  await page.getByLabel('Send each tenant’s messages in order').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved').waitFor();
  await page.getByText('An exhausted message lets the next one go').waitFor();
  expect(writes().map(({ body }) => body)).toEqual([{ ordered: true }]);
  const message = stage.service.state.partner.messages.find(({ id }) => id === 'evt_01sample0006');
  const endpoint = stage.service.state.partner.endpoints.find(({ id }) => plans.endsWith(id));
  if (message && endpoint) delivery(message, endpoint, 'pending');
  await page.goto(`${stage.service.origin}/portal/messages/evt_01sample0006`);
  await page.getByText('waits for an earlier message about the same tenant').waitFor();
  await page.context().close();
});

test('a key pair is switched on, its public key is shown, and it is rotated', async () => {
  const page = await stage.open({ path: `${plans}/edit` });
  await page.getByText('Headers, rate limit, channels, filter, and more').click();
  await page.getByLabel('Sign with an ed25519 key pair').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved').waitFor();
  await page.getByText(`whpk_${'A'.repeat(43)}=`).waitFor();
  await page.getByRole('button', { name: 'Copy the public key' }).waitFor();
  await page.getByRole('button', { name: 'Rotate the key pair' }).click();
  await page.getByLabel('1 hour').check();
  await page.getByRole('button', { name: 'Create new key pair' }).click();
  await page.getByText('The key pair was rotated').waitFor();
  await page.getByText(`whpk_${'B'.repeat(43)}=`).waitFor();
  await page.getByText(/^Public key until/).waitFor();
  expect(writes().map(({ body }) => body)).toEqual([
    { asymmetric_signature: true },
    { overlap_seconds: 3600 },
  ]);
  await page.context().close();
});

test('channels and a custom ID are validated while typing, saved, shown, and removed', async () => {
  const page = await stage.open({ path: `${plans}/edit` });
  await page.getByText('Headers, rate limit, channels, filter, and more').click();
  const channels = page.getByLabel('Channels');
  await channels.fill('blue, "red"');
  await page.getByText('"red" can’t be a channel').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.locator('.more input:focus').waitFor();
  expect(writes()).toEqual([]);
  await channels.fill('blue green, blue');
  await page.getByLabel('Custom ID').fill('ep_mine');
  await page.getByText('It can’t start with ep_').waitFor();
  await page.getByLabel('Custom ID').fill('plans-v2');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('plans-v2').waitFor();
  await page.getByText('green', { exact: true }).waitFor();
  await page.goto(`${stage.service.origin}/portal${plans}/edit`);
  await page.getByText('Headers, rate limit, channels, filter, and more').click();
  await channels.fill('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved').waitFor();
  expect(writes().map(({ body }) => body)).toEqual([
    { channels: ['blue', 'green'], uid: 'plans-v2' },
    { channels: null },
  ]);
  await page.context().close();
});

test('an edit sends only changes and keeps hidden credentials', async () => {
  const page = await stage.open({ path: `${plans}/edit` });
  await page.getByText('Basic, as svc').waitFor();
  await page.getByLabel('Description').fill('Plan mirror, v2');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Plan mirror, v2').waitFor();
  expect(writes().map(({ body }) => body)).toEqual([{ description: 'Plan mirror, v2' }]);
  await page.context().close();
});

test('the secret is masked, copied, revealed, hidden again, and never kept in the page', async () => {
  const page = await stage.open({ path: plans });
  const { current } = stage.service.state.secrets;
  await page.getByRole('button', { name: 'Copy the secret' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(current);
  expect(await page.getByText(current).count()).toBe(0);
  await page.getByRole('button', { name: 'Reveal the secret' }).click();
  await page.getByText(current).waitFor();
  await page.getByRole('button', { name: 'Hide the secret' }).click();
  await page.getByText(current).waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(current);
  await page.context().close();
});

test('a rotation shows the new secret and a countdown of the overlap', async () => {
  const page = await stage.open({ path: plans });
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByLabel('1 hour').check();
  await page.getByRole('button', { name: 'Create new signing secret' }).click();
  await expect.poll(() => writes().map(({ body }) => body)).toEqual([{ overlap_seconds: 3600 }]);
  await page.getByText(stage.service.state.secrets.current).waitFor();
  await page.getByText('1:00:00').waitFor();
  await page.clock.setFixedTime(now + 61_000);
  await page.getByText('58:59').waitFor();
  await page.clock.setFixedTime(now + 3_600_000);
  await page.getByText('still signs for').waitFor({ state: 'detached' });
  await page.context().close();
});

test('a current overlap is shown before the secret is read', async () => {
  const endpoint = stage.service.state.partner.endpoints[1];
  const until = new Date(now + 7_200_000).toISOString();
  Object.assign(endpoint ?? {}, { previous_secret_expires_at: until });
  const page = await stage.open({ path: plans });
  await page.getByText('2:00:00').waitFor();
  expect(stage.service.calls.filter(({ call }) => call.endsWith('/secret'))).toEqual([]);
  await page.context().close();
});

test('disabling asks for confirmation; enabling can skip held messages', async () => {
  const page = await stage.open({ path: plans });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(writes()).toEqual([]);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable endpoint' }).click();
  await page.getByText('Someone on your team disabled it.').waitFor();
  await page.goto(`${stage.service.origin}/portal/endpoints/ep_01sample3`);
  await page.getByRole('button', { name: 'Enable and skip them' }).click();
  await page.getByText('Nothing is sent to this endpoint').waitFor({ state: 'detached' });
  expect(writes().map(({ body }) => body)).toEqual([
    { state: 'disabled' },
    { state: 'enabled', held: 'skip' },
  ]);
  await page.context().close();
});

test('deleting requires typing the exact URL', async () => {
  const page = await stage.open({ path: plans });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const confirm = page.getByRole('button', { name: 'Delete endpoint' });
  const typed = page.getByLabel('Type the URL');
  await typed.fill('https://plans.maple.example');
  expect(await confirm.isDisabled()).toBe(true);
  await typed.press('Enter');
  expect(writes()).toEqual([]);
  await typed.fill('https://plans.maple.example/hooks/plan-events?tenant=all');
  await confirm.click();
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
  await page.getByText('plans.maple.example').first().waitFor({ state: 'detached' });
  expect(stage.service.state.partner.endpoints).toHaveLength(2);
  await page.context().close();
});

test('a test send delivers the edited body and shows the response', async () => {
  const page = await stage.open({ path: plans });
  await page.getByRole('link', { name: 'Send a test' }).click();
  await page.getByLabel('Event type').selectOption('application.declined');
  const data = page.getByLabel('data');
  await data.fill('{ "reapply_after": ');
  await page.getByText('Invalid JSON').waitFor();
  expect(await page.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true);
  await data.fill('{ "reapply_after": 5 }');
  await page.getByText('reapply_after should be date').waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Delivered · 200').waitFor();
  expect(writes().map(({ call, body }) => ({ call, body }))).toEqual([
    {
      call: 'POST /webhooks/endpoints/ep_01sample2/test',
      body: { event_type: 'application.declined', data: { reapply_after: 5 } },
    },
  ]);
  await page.getByRole('link', { name: 'View the request body' }).click();
  await page.getByText('A test send').waitFor();
  await page.context().close();
});

test('sample code contains the endpoint’s path, and its secret only when copied', async () => {
  const page = await stage.open({ path: plans });
  await page.getByRole('link', { name: 'code for your server' }).click();
  const standard = page.getByRole('region', { name: 'With Standard Webhooks' });
  await standard.getByText("app.post('/hooks/plan-events'").waitFor();
  await standard.getByText('npm install standardwebhooks').waitFor();
  await page.getByRole('region', { name: 'With @svc/node' }).waitFor();
  expect(await page.getByText('createHmac').isVisible()).toBe(false);
  await page.getByRole('tab', { name: 'Go' }).click();
  await standard.getByText('http.HandleFunc("/hooks/plan-events"').waitFor();
  // The panel of the previous tab stays in the page until the next frame.
  const go = page.getByRole('tabpanel', { name: 'Go' });
  await go.getByText('Without a library').click();
  await go.getByRole('button', { name: 'Copy signatures.go' }).click();
  await page.getByText('Copied').waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await copied()).toContain('hmac.Equal');
  expect(stage.service.calls.filter(({ call }) => call.endsWith('/secret'))).toEqual([]);
  await page.getByRole('button', { name: 'Copy with the secret' }).click();
  await expect.poll(copied).toBe(`SVC_WEBHOOK_SECRET=${stage.service.state.secrets.current}`);
  expect(await page.content()).not.toContain(stage.service.state.secrets.current);
  expect(new URL(page.url()).search).toBe('?lang=go');
  await page.context().close();
});
