import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DoctorCheckOutput, GoLiveOutput } from '@svc/contract';
import { signWidget, verifyWebhook } from '@svc/node';
import { afterAll, expect, test } from 'vitest';
import { ada, useService } from './harness.ts';

const svc = await useService();

/** A real server on loopback, which answers in the service's time. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    response.sendDate = false;
    response.setHeader('date', svc.clock.now().toUTCString());
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A page with these headers. */
function servePage(headers: Record<string, string>, html = '<h1>Rent</h1>'): Promise<string> {
  return serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
  });
}

async function examine(key: string, body: object) {
  const answer = await svc.call('POST', '/partner/doctor', { key, body });
  expect(answer.error).toBeNull();
  const checks = answer.data.checks as DoctorCheckOutput[];
  return {
    checks,
    get: (id: DoctorCheckOutput['id']) => checks.find((check) => check.id === id),
    statuses: () => checks.map(({ id, status }) => `${id} ${status}`),
  };
}

interface EndpointOptions {
  verifies?: boolean;
  repeats?: number;
  behindMs?: number;
}

/** An endpoint of the partner's, written with our own library. */
async function addEndpoint(
  key: string,
  { verifies = true, repeats = 204, behindMs = 0 }: EndpointOptions = {},
) {
  const seen = new Set<unknown>();
  const got: { id: unknown; verified: boolean; body: string }[] = [];
  let secret = '';
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const now = svc.clock.now();
      response.setHeader('date', new Date(now.getTime() - behindMs).toUTCString());
      const body = Buffer.concat(chunks);
      const id = request.headers['webhook-id'];
      let verified = true;
      try {
        verifyWebhook(body, request.headers as Record<string, string>, secret, { now: () => now });
      } catch {
        verified = false;
      }
      got.push({ id, verified, body: body.toString() });
      if (!verified && verifies) response.writeHead(401).end('No signature matches');
      else response.writeHead(seen.has(id) ? repeats : 204).end();
      seen.add(id);
    });
  });
  const created = await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const { data } = await svc.call('GET', `/webhooks/endpoints/${created.data.id}/secret`, { key });
  secret = data.secret;
  return got;
}

const external_id = 't-100';
const portalInfo = (key: string, body: object = ada) =>
  svc.call('POST', `/tenant/portal_info/${external_id}`, { key, body });

test('an integration without a mistake passes every check, and its endpoint gets four webhooks', async () => {
  const { pms, key } = await svc.newPartner();
  const { origin } = new URL(svc.origin);
  const page = await servePage({
    'content-security-policy': `default-src 'self'; frame-src ${origin}; connect-src 'self' ${origin}`,
  });
  const got = await addEndpoint(key);
  await svc.call('PUT', '/partner/allowed_origins', { key, body: { allowed_origins: [page] } });
  // The window of this month's rent is open.
  const charges = [{ id: 'C-1', type: 'rent', due_date: '2026-01-22', amount_in_cents: 152_012 }];
  await portalInfo(key, { ...ada, charges });
  const diagnosis = {
    page_url: `${page}/rent`,
    service: origin,
    environment: 'sandbox',
    pms,
    external_id,
    signature: await signWidget({ apiKey: key, pms, externalId: external_id }),
    balance: 152_012,
    container: { width: 420, height: 300 },
    status: 'can_split',
    blocked_by: [],
    problems: [],
  };
  const { checks } = await examine(key, { diagnosis });
  expect(checks.filter(({ status }) => status !== 'pass')).toEqual([]);
  expect(checks).toHaveLength(15);
  expect(got.map(({ verified }) => verified)).toEqual([true, true, false, true]);
  expect(got[3]?.id).toBe(got[0]?.id);
  expect(got[2]?.id).not.toBe(got[0]?.id);
  expect(JSON.parse(got[1]?.body ?? '')).toMatchObject({ type: 'settlement.created', test: true });
  expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ test: true });
  // Probes are not stored: the partner's history has real messages only.
  expect((await svc.call('GET', '/webhooks/messages', { key })).data.items).not.toContainEqual(
    expect.objectContaining({ id: got[0]?.id }),
  );
  const text = JSON.stringify(checks);
  expect(text).not.toContain(key);
  expect(text).not.toContain(diagnosis.signature);
});

test('without input, what can be checked is, and the rest says why it is skipped', async () => {
  const { key } = await svc.newPartner();
  const { statuses, checks } = await examine(key, {});
  expect(statuses()).toEqual([
    'key pass',
    'signature skipped',
    'charges skipped',
    'window skipped',
    'origins warn',
    'page skipped',
    'csp skipped',
    'frame_headers skipped',
    'container skipped',
    'sdk skipped',
    'clock skipped',
    'webhook_valid warn',
  ]);
  for (const { status, detail, fix, docs_url } of checks) {
    expect(detail).toMatch(/\.$/);
    expect(fix === null).toBe(status === 'pass' || status === 'skipped');
    expect(docs_url).toContain(`${svc.origin}/docs`);
  }
});

test('a page whose headers block the widget gets the directive that it needs', async () => {
  const { key } = await svc.newPartner();
  const url = await servePage({
    'content-security-policy': "default-src 'self'; frame-src 'none'",
    'cross-origin-embedder-policy': 'require-corp',
  });
  await svc.call('PUT', '/partner/allowed_origins', {
    key,
    body: { allowed_origins: ['https://portal.example'] },
  });
  const { get } = await examine(key, { page_url: `${url}/rent?month=2` });
  expect(get('page')).toMatchObject({ status: 'pass' });
  expect(get('csp')).toMatchObject({
    status: 'fail',
    fix: `The policy needs "frame-src ${svc.origin}; connect-src 'self' ${svc.origin}".`,
  });
  expect(get('frame_headers')).toMatchObject({ status: 'fail' });
  expect(get('origins')).toMatchObject({ status: 'fail', fix: expect.stringContaining(url) });
});

test('a policy in a meta tag, a redirect and a page that is not there', async () => {
  const { key } = await svc.newPartner();
  const meta = await servePage(
    {},
    `<meta http-equiv="Content-Security-Policy" content="frame-src 'self'">`,
  );
  expect((await examine(key, { page_url: meta })).get('csp')).toMatchObject({ status: 'fail' });
  const moved = await serve((_, response) => response.writeHead(302, { location: '/login' }).end());
  expect((await examine(key, { page_url: moved })).get('page')).toMatchObject({
    status: 'warn',
    detail: 'It answers 302 and leads to /login.',
  });
  const gone = await examine(key, { page_url: 'http://127.0.0.1:9/' });
  expect(gone.get('page')).toMatchObject({ status: 'fail' });
  expect(gone.get('csp')).toMatchObject({ status: 'skipped' });
  const invalid = await examine(key, { page_url: 'portal' });
  expect(invalid.get('page')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('Give a full http(s) URL'),
  });
});

test('an address that no browser opens as a page is named once', async () => {
  const { key } = await svc.newPartner();
  const body = { allowed_origins: ['https://portal.example'] };
  await svc.call('PUT', '/partner/allowed_origins', { key, body });
  const ftp = await examine(key, { page_url: 'ftp://portal.example' });
  expect(ftp.get('page')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('http(s) URL'),
  });
  expect(ftp.get('origins')).toMatchObject({ status: 'pass' });
});

test('the signature’s bytes are shown, and the mistake is named', async () => {
  const { pms, key } = await svc.newPartner();
  const shown = await examine(key, { external_id });
  const hex = (text: string) => Buffer.from(text).toString('hex');
  expect(shown.get('signature')).toMatchObject({
    status: 'pass',
    detail: expect.stringContaining(
      `${hex(pms)} ${hex('+')} ${hex(external_id)}, which is "${pms}" + "+" + "${external_id}"`,
    ),
  });
  const signature = await signWidget({ apiKey: key, pms, externalId: encodeURIComponent('a b') });
  const wrong = await examine(key, { external_id: 'a b', diagnosis: { signature } });
  expect(wrong.get('signature')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('percent-encoded'),
  });
  const elsewhere = await examine(key, {
    diagnosis: { external_id, pms: 'oak', environment: 'sandbox', signature },
  });
  expect(elsewhere.get('signature')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('passes the pms "oak"'),
  });
  const production = await examine(key, { diagnosis: { external_id, environment: 'production' } });
  expect(production.get('signature')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('but this is a sandbox service'),
  });
});

test('charges against the balance, and the window', async () => {
  const { key } = await svc.newPartner();
  const unknown = await examine(key, { external_id });
  expect(unknown.get('charges')).toMatchObject({ status: 'fail' });
  await portalInfo(key);
  const { get } = await examine(key, { external_id, diagnosis: { balance: 1520.12 } });
  expect(get('charges')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining(
      '1 unpaid charge, $1,520.12 together, but the page shows $15.20',
    ),
    fix: 'The balance is in dollars: pass cents.',
  });
  expect(get('window')).toMatchObject({
    status: 'warn',
    detail:
      'The charges due on 2026-02-01 can be split from 2026-01-25 until 2026-02-10, and not now.',
    fix: expect.stringContaining('/v1/simulation/t-100/set_underwriting_result'),
  });
});

test('a small container and errors on the page are reported', async () => {
  const { key } = await svc.newPartner();
  const { get } = await examine(key, {
    diagnosis: {
      container: { width: 280, height: 90 },
      problems: [{ code: 1002, error_code: 'container_too_small', msg: 'small' }],
    },
  });
  expect(get('container')).toMatchObject({ status: 'fail', detail: 'The widget has 280 × 90 px.' });
  expect(get('sdk')).toMatchObject({
    status: 'warn',
    docs_url: `${svc.origin}/docs/errors#container_too_small`,
  });
});

test('an endpoint that verifies nothing, refuses repeats and has a slow clock', async () => {
  const { key } = await svc.newPartner();
  await addEndpoint(key, { verifies: false, repeats: 409, behindMs: 400_000 });
  const { get } = await examine(key, {});
  expect(get('webhook_valid')).toMatchObject({ status: 'pass' });
  expect(get('webhook_forged')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('anyone can send you events'),
  });
  expect(get('webhook_repeated')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('It answered 409'),
  });
  expect(get('clock')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('400 s behind ours'),
  });
});

test('an endpoint that refuses the valid webhook is told why, and nothing else is asked', async () => {
  const { key } = await svc.newPartner();
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.writeHead(400).end('No matching signature found');
  });
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const { get } = await examine(key, {});
  expect(get('webhook_valid')).toMatchObject({
    status: 'fail',
    fix: expect.stringContaining('rejected the signature'),
  });
  expect(get('webhook_forged')).toMatchObject({ status: 'skipped' });
  expect(get('webhook_repeated')).toMatchObject({ status: 'skipped' });
  expect(requests).toBe(1);
});

interface Eager {
  answersFirst?: boolean;
  event_types?: string[] | null;
}

/** A receiver that reports every settlement, test or not. It handles one message after another. */
async function addEagerReceiver(
  key: string,
  { answersFirst = false, event_types = null }: Eager = {},
) {
  let work: Promise<unknown> = Promise.resolve();
  const report = async (body: string): Promise<number> => {
    const event = JSON.parse(body);
    if (event.type !== 'settlement.created') return 204;
    const path = `/settlements/${event.data.settlement_id}`;
    const { error } = await svc.call('PATCH', path, { key, body: { status: 'verified' } });
    return error ? 500 : 204;
  };
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      await work;
      work = report(body);
      response.writeHead(answersFirst ? 204 : Number(await work)).end();
    });
  });
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url, event_types } });
}

test.each([true, false])(
  'a receiver that would debit a test settlement fails, also if it answers first: %s',
  async (answersFirst) => {
    const { key } = await svc.newPartner();
    await addEagerReceiver(key, { answersFirst });
    const { get } = await examine(key, {});
    expect(get('webhook_valid')?.status).toBe('pass');
    expect(get('webhook_test')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/called PATCH \/v1\/settlements\/stl_\S+ about a test/),
      fix: expect.stringContaining('event.test || event.custom'),
    });
  },
);

test('a receiver that fails on a test settlement, and one that gets none', async () => {
  const { key } = await svc.newPartner();
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () =>
      response.writeHead(body.includes('settlement.created') ? 500 : 204).end(),
    );
  });
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const { get } = await examine(key, {});
  expect(get('webhook_test')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('It answered 500'),
  });
  const other = await svc.newPartner();
  await addEagerReceiver(other.key, { event_types: ['plan.*'] });
  expect((await examine(other.key, {})).get('webhook_test')).toMatchObject({ status: 'skipped' });
});

test('charges that are still unpaid after their settlement was verified are named', async () => {
  const { key } = await svc.newPartner();
  const { data } = await svc.call('POST', `/simulation/${external_id}/scenario`, {
    key,
    body: { scenario: 'split' },
  });
  const charges = async () => (await examine(key, { external_id })).get('charges');
  expect(await charges()).toMatchObject({ status: 'pass' });
  await svc.call('PATCH', `/settlements/${data.settlement.id}`, {
    key,
    body: { status: 'verified', processor_transaction_id: 'tr_1' },
  });
  const [first] = data.settlement.charges_paid;
  expect(await charges()).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining(`${first} (${data.settlement.id})`),
    fix: expect.stringContaining('amount_paid_in_cents'),
    docs_url: `${svc.origin}/docs/settlements#after-the-split`,
  });
  await portalInfo(key, { ...ada, charges: [] });
  expect(await charges()).toMatchObject({
    status: 'pass',
    detail:
      'portal_info reported 0 unpaid charges, $0.00 together: settlements have paid the others.',
  });
});

/** Publishes a message that is no test send, and waits for its first attempt. */
async function publish(key: string): Promise<void> {
  const body = { event_type: 'plan.created', data: { note: 'real' } };
  expect((await svc.call('POST', '/webhooks/messages', { key, body })).error).toBeNull();
  await svc.engine.idle();
}

test('the checklist keeps what the service has seen, and marks by hand', async () => {
  const { key, pms, keyId } = await svc.newPartner();
  const read = async () =>
    (await svc.call('GET', '/partner/go_live', { key })).data as GoLiveOutput;
  const done = ({ items }: GoLiveOutput) => items.filter((it) => it.done).map(({ id }) => id);
  expect(done(await read())).toEqual([]);
  await addEndpoint(key);
  await examine(key, {});
  expect(done(await read())).toEqual(['forgery_refused']);
  await publish(key);
  await svc.call('PUT', '/partner/allowed_origins', {
    key,
    body: { allowed_origins: ['https://portal.example'] },
  });
  expect(done(await read())).toEqual(['origins_set', 'webhook_delivered', 'forgery_refused']);
  const marked = await svc.call('PUT', '/partner/go_live/duplicates_handled', {
    key,
    body: { done: true },
  });
  expect(done(marked.data)).toContain('duplicates_handled');
  const unmarked = await svc.call('PUT', '/partner/go_live/duplicates_handled', {
    key,
    body: { done: false },
  });
  expect(done(unmarked.data)).not.toContain('duplicates_handled');
  // What the service sees cannot be claimed.
  expect(
    await svc.call('PUT', '/partner/go_live/webhook_delivered', { key, body: { done: true } }),
  ).toMatchObject({
    status: 404,
    error: { message: expect.stringContaining('duplicates_handled') },
  });
  svc.clock.advance(2_000);
  const made = await svc.administer({ command: 'key create', pms });
  if (!made.ok) throw new Error(made.message);
  const { api_key } = made.result as { api_key: string };
  await svc.administer({ command: 'key revoke', key_id: keyId, even_last: true });
  const after = await svc.call('GET', '/partner/go_live', { key: api_key });
  expect(done(after.data)).toContain('key_rotated');
});

test('a webhook that failed with 5xx and came again is seen', async () => {
  const { key } = await svc.newPartner();
  let answers = 0;
  const url = await serve((_, response) => {
    answers += 1;
    response.writeHead(answers === 1 ? 503 : 204).end();
  });
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  await publish(key);
  await expect
    .poll(
      async () => {
        svc.clock.advance(1_000);
        const { data } = await svc.call('GET', '/partner/go_live', { key });
        return (data as GoLiveOutput).items.find(({ id }) => id === 'retry_recovered')?.done;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
});
