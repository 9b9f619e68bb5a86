import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { SvcClient, type SvcClientOptions } from './client.ts';

const apiKey = 'svc_sandbox_test';
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** Starts a real server that answers each request with `answer`, and records the requests in `seen`. */
async function serve(answer: (seen: Seen, number: number) => unknown) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const isJson = headers['content-type'] === 'application/json';
    seen.push({ method, url, headers, body: isJson ? JSON.parse(text) : text || null });
    reply(response, answer(seen.at(-1) as Seen, seen.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const client = (options: Partial<SvcClientOptions> = {}) =>
    new SvcClient({ apiKey, baseUrl: `${origin}/v1`, ...options });
  return { seen, client, origin };
}

function reply(response: ServerResponse, data: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ error: null, data }));
}

const tenant = { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' };

test('sends portal_info with key, body and Idempotency-Key, and returns its data', async () => {
  const { seen, client } = await serve(() => ({ token: 'svc_tt_1', warnings: [] }));
  const answer = await client().portalInfo('a/b +ü🏠', { ...tenant, charges: [] });
  expect(answer.token).toBe('svc_tt_1');
  const [request] = seen;
  expect(request?.method).toBe('POST');
  expect(request?.url).toBe('/v1/tenant/portal_info/a%2Fb%20%2B%C3%BC%F0%9F%8F%A0');
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(request?.headers.origin).toBeUndefined();
  expect(request?.body).toEqual({ ...tenant, charges: [] });
});

test('uploads a file as it is, with its media type', async () => {
  const { seen, client } = await serve(() => ({}));
  await client().appearance.setLogo(new TextEncoder().encode('a picture'));
  await client().appearance.setFont(new TextEncoder().encode('a font'));
  expect(seen.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
    ['image/png', 'a picture'],
    ['font/woff2', 'a font'],
  ]);
});

test('creates an Idempotency-Key for each call, unless one is passed', async () => {
  const { seen, client } = await serve(() => ({}));
  const svc = client();
  await svc.simulation.reset('t-1');
  await svc.simulation.reset('t-1');
  await svc.simulation.reset('t-1', { idempotencyKey: 'mine' });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test('calls every route with its method and path', async () => {
  const { seen, client } = await serve(() => ({ items: [], next_cursor: null }));
  const svc = client();
  const { endpoints, messages } = svc.webhooks;
  await svc.portalInfo('t', { ...tenant, charges: [] }, { dryRun: true });
  await svc.webhookPortalUrl();
  await svc.webhookPortalUrl({ readOnly: true });
  await svc.portalToken({ view: 'settlements' });
  await svc.revokeWebhookPortalSessions();
  await svc.allowedOrigins.get();
  await svc.allowedOrigins.set(['https://portal.example'], { appSchemes: ['com.example.app'] });
  await svc.appearance.get();
  await svc.appearance.set({ accent: '#1d4ed8' });
  await svc.appearance.setLogo(new Uint8Array([1]));
  await svc.appearance.removeLogo();
  await svc.appearance.setFont(new Uint8Array([2]));
  await svc.appearance.removeFont();
  await svc.simulation.setUnderwritingResult('t', { underwriting_result: 'WILL_BE_APPROVED' });
  await svc.simulation.setFlow('t', { flow: 'WILL_BE_DECLINED', rent_cycle_date: '2026-02-01' });
  await svc.simulation.get('t');
  await svc.simulation.fork('t', { change: { advance_clock: 'P30D' } });
  await svc.simulation.recording('t', { at: 'evt_1' });
  await svc.simulation.history('t');
  await svc.settlements.list({ status: 'verified', external_id: 'a&b', limit: 5 }).toArray();
  await svc.settlements.get('stl_1');
  await svc.settlements.reportReturn('stl_1', { reason: 'R10' });
  await svc.settlements.refund('stl_1', { amount_in_cents: 100 });
  await svc.settlements.listRefunds('stl_1').toArray();
  await svc.plans.get('pln_1');
  await svc.tenants.get('t');
  await svc.events.list({ after: 'evt_1' }).toArray();
  await endpoints.list().toArray();
  await endpoints.create({ url: 'https://portal.example/hook' });
  await endpoints.get('ep_1');
  await endpoints.update('ep_1', { state: 'disabled' });
  await endpoints.delete('ep_1');
  await endpoints.secret('ep_1');
  await endpoints.rotateSecret('ep_1');
  await endpoints.rotatePublicKey('ep_1');
  await endpoints.previewFilter({ filter: [{ field: 'external_id', equals: 't' }] });
  await endpoints.test('ep_1', { event_type: 'plan.created' });
  await messages.list({ state: 'failed' }).toArray();
  await messages.get('evt_1');
  await messages.attempts('evt_1').toArray();
  await messages.replay('evt_1', { endpoint_id: 'ep_1' });
  await messages.publish({ event_type: 'plan.created', data: {} });
  await svc.webhooks.eventTypes().toArray();
  await svc.webhooks.egressIps();
  expect(seen.map(({ method, url }) => `${method} ${url.slice('/v1'.length)}`)).toEqual([
    'POST /tenant/portal_info/t?dry_run=true',
    'GET /partner/webhook_portal_url',
    'GET /partner/webhook_portal_url?read_only=true',
    'POST /portal_tokens',
    'DELETE /partner/webhook_portal_sessions',
    'GET /partner/allowed_origins',
    'PUT /partner/allowed_origins',
    'GET /partner/appearance',
    'PUT /partner/appearance',
    'PUT /partner/appearance/logo',
    'DELETE /partner/appearance/logo',
    'PUT /partner/appearance/font',
    'DELETE /partner/appearance/font',
    'POST /simulation/t/set_underwriting_result',
    'POST /simulation/t/set_flow',
    'GET /simulation/t',
    'POST /simulation/t/fork',
    'GET /simulation/t/recording?at=evt_1',
    'GET /simulation/t/history',
    'GET /settlements?status=verified&external_id=a%26b&limit=5',
    'GET /settlements/stl_1',
    'POST /settlements/stl_1/return',
    'POST /settlements/stl_1/refunds',
    'GET /settlements/stl_1/refunds',
    'GET /plans/pln_1',
    'GET /tenants/t',
    'GET /events?after=evt_1',
    'GET /webhooks/endpoints',
    'POST /webhooks/endpoints',
    'GET /webhooks/endpoints/ep_1',
    'PATCH /webhooks/endpoints/ep_1',
    'DELETE /webhooks/endpoints/ep_1',
    'GET /webhooks/endpoints/ep_1/secret',
    'POST /webhooks/endpoints/ep_1/secret/rotate',
    'POST /webhooks/endpoints/ep_1/public_key/rotate',
    'POST /webhooks/filter_preview',
    'POST /webhooks/endpoints/ep_1/test',
    'GET /webhooks/messages?state=failed',
    'GET /webhooks/messages/evt_1',
    'GET /webhooks/messages/evt_1/attempts',
    'POST /webhooks/messages/evt_1/replay',
    'POST /webhooks/messages',
    'GET /webhooks/event_types',
    'GET /webhooks/egress_ips',
  ]);
  const withoutKey = seen.filter(({ headers }) => !headers['idempotency-key']);
  expect(new Set(withoutKey.map(({ method }) => method))).toEqual(
    new Set(['GET', 'PUT', 'DELETE']),
  );
});

test('loads the pages of a list only as far as it is read', async () => {
  const pages: Record<string, unknown> = {
    first: { items: [{ id: 'stl_1' }, { id: 'stl_2' }], next_cursor: 'c2' },
    c2: { items: [{ id: 'stl_3' }], next_cursor: null },
  };
  const { seen, client } = await serve(({ url }) => {
    return pages[new URL(url, 'http://x').searchParams.get('cursor') ?? 'first'];
  });
  const { settlements } = client();
  const ids: string[] = [];
  for await (const { id } of settlements.list()) ids.push(id);
  expect(ids).toEqual(['stl_1', 'stl_2', 'stl_3']);
  expect(seen).toHaveLength(2);
  expect(await settlements.list().toArray({ limit: 1 })).toEqual([{ id: 'stl_1' }]);
  expect(seen).toHaveLength(3);
  expect((await settlements.list().page('c2')).items).toEqual([{ id: 'stl_3' }]);
});

test('lists events after the last id, until there are no more', async () => {
  const ids = ['evt_1', 'evt_2', 'evt_3'];
  const { seen, client } = await serve(({ url }) => {
    const after = new URL(url, 'http://x').searchParams.get('after');
    const from = after === null ? 0 : ids.indexOf(after) + 1;
    return { items: ids.slice(from, from + 2).map((id) => ({ id })), next_cursor: null };
  });
  const events = await client().events.list().toArray();
  expect(events.map(({ id }) => id)).toEqual(ids);
  expect(seen.map(({ url }) => url)).toEqual([
    '/v1/events',
    '/v1/events?after=evt_2',
    '/v1/events?after=evt_3',
  ]);
});

test.each(['.', '..', ''])('refuses the id %j, which would call another route', async (id) => {
  const { seen, client } = await serve(() => ({}));
  expect(() => client().tenants.get(id)).toThrow(TypeError);
  expect(seen).toHaveLength(0);
});

test('accepts the origin alone as base URL', async () => {
  const { seen, client, origin } = await serve(() => ({}));
  for (const baseUrl of [origin, `${origin}/`, `${origin}/v1/`]) {
    await client({ baseUrl }).plans.get('pln_1');
  }
  expect(seen.map(({ url }) => url)).toEqual(Array(3).fill('/v1/plans/pln_1'));
});

test('refuses invalid options', () => {
  const make = (options: Partial<SvcClientOptions>) => () =>
    new SvcClient({ apiKey, baseUrl: 'http://localhost:1/v1', ...options });
  expect(make({ baseUrl: 'localhost:4000/v1' })).toThrow('baseUrl');
  expect(make({ apiKey: `${apiKey}\n` })).toThrow('white space');
  expect(make({ apiKey: '' })).toThrow('apiKey must be a non-empty string, but is empty');
  expect(make({ maxRetries: -1 })).toThrow('maxRetries');
  expect(make({ timeoutMs: 0.5 })).toThrow('timeoutMs');
});

test('does not show its key when printed', async () => {
  const { client } = await serve(() => ({}));
  expect(inspect(client(), { depth: 9, showHidden: true })).not.toContain(apiKey);
  expect(JSON.stringify(client())).not.toContain(apiKey);
});
