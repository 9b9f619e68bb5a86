import { describe, expect, test } from 'vitest';
import { routes } from '../src/http/routes.ts';
import { ada, useService } from './harness.ts';

const svc = await useService();

const protectedRoutes = routes.filter(({ who }) => !who.endsWith('anyone'));
// Anyone may read public keys. webhooks.db.test.ts and certify/runs.db.test.ts test that.
const publicRoutes = routes.filter(
  ({ who, path }) => who === 'anyone' && !path.includes('/public_key'),
);
const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** The route's path with ids that do not exist. */
function addressOf(path: string): string {
  return path
    .replace('{external_id}', 'nobody')
    .replace('{id}', 'nothing')
    .replace('{name}', 'handshake');
}

describe('a caller without valid credentials', () => {
  test.each(protectedRoutes.map((row) => [name(row), row] as const))(
    'is refused at %s',
    async (_, row) => {
      const address = addressOf(row.path);
      const without = await svc.call(row.method, address, { body: undefined });
      expect(without).toMatchObject({ status: 401, error: { code: 'missing_credentials' } });
      expect(without.headers.get('www-authenticate')).toBe('Bearer realm="svc"');
      const wrong = await svc.call(row.method, address, { key: 'svc_sandbox_wrong' });
      expect(wrong.status).toBe(401);
      const cookie = await svc.call(row.method, address, {
        headers: { cookie: `svc_portal=svc_ps_${'0'.repeat(43)}` },
      });
      expect(cookie.status).toBe(401);
    },
  );

  test.each(publicRoutes.map((row) => [name(row), row] as const))(
    'is refused at %s',
    async (_, row) => {
      const identity = { pms: 'portal-1', external_id: 't', signature: '0'.repeat(64) };
      const bodies = {
        '/widget/session': identity,
        '/experience/session': { ...identity, token: 'svc_tt_none', nonce: 'n'.repeat(16) },
        '/experience/link': { link: 'svc_ml_none', nonce: 'n'.repeat(16) },
        '/experience/link/code': { link: 'svc_hm_none', locale: 'en' },
        '/experience/link/confirm': {
          link: 'svc_hm_none',
          code: '123456',
          nonce: 'n'.repeat(16),
        },
        '/experience/visit': { visit: 'none' },
        '/portal/session': { secret: 'svc_pl_none' },
        '/portal/key': { secret: 'svc_kl_none' },
      } as Record<string, object>;
      const answer = await svc.call(row.method, row.path, { body: bodies[row.path] });
      expect(answer.status).toBe(401);
      expect(answer.data).toBeNull();
    },
  );
});

const aRecording = {
  version: 1,
  external_id: 't-1',
  at: null,
  ends_at: '2026-02-01T18:00:00.000Z',
  calls: [
    {
      call: 'POST /simulation/{external_id}/scenario',
      at: '2026-02-01T18:00:00.000Z',
      until: '2026-02-01T18:00:00.000Z',
      params: { external_id: 't-1' },
      body: { scenario: 'declined' },
      product_variant: null,
      result_ids: [],
      refused: null,
    },
  ],
  events: [],
};

describe('another partner', () => {
  test.each(
    routes
      .filter(({ who, path }) => who.startsWith('key') && path.includes('{'))
      .map((row) => [name(row), row] as const),
  )('cannot reach this partner’s data at %s', async (_, row) => {
    const [mine, theirs] = [await svc.newPartner(), await svc.newPartner()];
    await svc.call('POST', '/tenant/portal_info/t-1', { key: theirs.key, body: ada });
    const made = await svc.call('POST', '/webhooks/endpoints', {
      key: theirs.key,
      body: { url: 'http://127.0.0.1:9/hook' },
    });
    const sent = await svc.call('POST', '/webhooks/messages', {
      key: theirs.key,
      body: { event_type: 'plan.created', data: {} },
    });
    const id = row.path.includes('/messages/') ? sent.data.id : made.data.id;
    const address = row.path
      .replace('{external_id}', 't-1')
      .replace('{id}', id)
      .replace('{name}', 'handshake');
    const bodies: Record<string, object> = {
      '/simulation/{external_id}/set_underwriting_result': {
        underwriting_result: 'WILL_BE_APPROVED',
      },
      '/simulation/{external_id}/set_flow': {
        flow: 'WILL_BE_APPROVED',
        rent_cycle_date: '2026-02-01',
      },
      '/simulation/{external_id}/advance_clock': { by: 'P1D' },
      '/simulation/{external_id}/scenario': { scenario: 'declined' },
      '/simulation/{external_id}/replay': { recording: aRecording },
      '/settlements/{id}': { status: 'verified' },
      '/payouts/{id}': { status: 'paid' },
      '/settlements/{id}/refunds': { amount_in_cents: 100 },
      '/tenant/portal_info/{external_id}': { ...ada, first_name: 'Mine' },
      '/webhooks/endpoints/{id}/test': { event_type: 'plan.created' },
      '/webhooks/messages/{id}/replay': { endpoint_id: made.data.id },
      '/webhooks/endpoints/{id}': { description: 'mine now' },
      '/webhooks/endpoints/{id}/secret/rotate': {},
      '/webhooks/endpoints/{id}/public_key/rotate': {},
      '/partner/go_live/{item}': { done: true },
      '/certifications/{id}/page_results': {
        results: [{ case: 'csp', status: 'pass', summary: 'Mine' }],
      },
    };
    const write = ['POST', 'PUT', 'PATCH'].includes(row.method);
    const answer = await svc.call(row.method, address, {
      key: mine.key,
      ...(write ? { body: bodies[row.path] ?? {} } : {}),
    });
    const isCreated = /portal_info|^\/simulation\/.*[^}]$/.test(row.path);
    const creates = isCreated && !/(fork|recording|history)$/.test(row.path);
    expect(answer.status).toBe(creates ? 200 : 404);
    const theirsAfter = await svc.call('GET', '/simulation/t-1', { key: theirs.key });
    expect(theirsAfter.data.underwriting_result).toBeNull();
    const endpoint = await svc.call('GET', `/webhooks/endpoints/${made.data.id}`, {
      key: theirs.key,
    });
    // Deliveries to this URL fail, which these two fields show.
    const settings = { ...endpoint.data, failing_since: null, disables_at: null };
    expect(settings).toEqual(made.data);
  });
});

test('an unknown path is 404 and an unknown method 405 with Allow, before credentials', async () => {
  const body = '{ not json';
  expect(await svc.call('POST', '/nowhere', { body })).toMatchObject({
    status: 404,
    error: { code: 'not_found' },
  });
  for (const path of new Set(routes.map((row) => row.path))) {
    const supported = routes.filter((row) => row.path === path).map(({ method }) => method);
    const method = ['PUT', 'DELETE', 'GET'].find((one) => !supported.includes(one as 'GET')) ?? '';
    const answer = await svc.call(method, addressOf(path), method === 'GET' ? {} : { body });
    expect(answer).toMatchObject({ status: 405, error: { code: 'method_not_allowed' } });
    const allowed = (answer.headers.get('allow') ?? '').split(', ');
    // Every route that supports GET supports HEAD.
    const listed = supported.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
    expect(allowed.filter((one) => one !== 'OPTIONS').sort()).toEqual(listed.sort());
  }
});

test('the API reference of a sandbox may send requests with a key', async () => {
  const { key } = await svc.newPartner();
  const call = (origin: string) =>
    svc.call('POST', '/simulation/t-1/set_underwriting_result', {
      key,
      headers: { origin },
      body: { underwriting_result: 'WILL_BE_APPROVED' },
    });
  expect((await call(svc.service.publicOrigin)).status).toBe(200);
  expect((await call('https://portal.example')).error?.code).toBe('browser_call');
});

test('a browser may send a call with a key, and its page may read the refusal and nothing else', async () => {
  const { key } = await svc.newPartner();
  const origin = 'https://portal.example';
  const headers = { origin };
  for (const row of routes.filter(({ who, internal }) => who.startsWith('key') && !internal)) {
    const address = addressOf(row.path);
    const preflight = await fetch(`${svc.url}/v1${address}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': row.method },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toContain(row.method);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    // Without it, the browser sends no cookie of a console session.
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const refused = await svc.call(row.method, address, { key, headers });
    expect(refused.error?.code).toBe('browser_call');
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
  }
  for (const credentials of [{}, { key: `${key}0` }]) {
    const answer = await svc.call('GET', '/settlements', { ...credentials, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
  const answered = await svc.call('GET', '/settlements', { key });
  expect(answered.status).toBe(200);
  expect(answered.headers.get('access-control-allow-origin')).toBeNull();
  const internal = routes.find((row) => row.internal && !row.cors)?.path ?? '';
  const path = `${svc.url}/v1${addressOf(internal)}`;
  expect((await fetch(path, { method: 'OPTIONS', headers })).status).toBe(405);
});

test('an API key from a browser is refused; a wrong key is reported as wrong first', async () => {
  const { key } = await svc.newPartner();
  const headers = { origin: 'https://portal.example' };
  for (const row of routes.filter(({ who }) => who.startsWith('key'))) {
    const address = addressOf(row.path);
    expect(await svc.call(row.method, address, { key, headers })).toMatchObject({
      status: 403,
      error: { code: 'browser_call' },
    });
    const changed = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    expect(await svc.call(row.method, address, { key: changed, headers })).toMatchObject({
      status: 401,
      error: { code: 'invalid_credentials' },
    });
  }
});

test('a revoked key stops working at once, and the other one keeps working', async () => {
  const { key, keyId, pms } = await svc.newPartner();
  const next = await svc.administer({ command: 'key create', pms });
  if (!next.ok) throw new Error(next.message);
  const { api_key } = next.result as { api_key: string };
  expect((await svc.call('GET', '/settlements', { key })).status).toBe(200);
  await svc.administer({ command: 'key revoke', key_id: keyId, even_last: true });
  expect(await svc.call('GET', '/settlements', { key })).toMatchObject({
    status: 401,
    error: { code: 'invalid_credentials' },
  });
  expect((await svc.call('GET', '/settlements', { key: api_key })).status).toBe(200);
});

test('unknown query fields and bodies are refused on every route', async () => {
  const { key } = await svc.newPartner();
  for (const row of routes.filter(({ who }) => who.startsWith('key'))) {
    const address = `${addressOf(row.path)}?surprise=1`;
    const body = row.method === 'GET' ? {} : { body: { surprise: 1 } };
    const answer = await svc.call(row.method, address, { key, ...body });
    if (row.upload) {
      expect(answer).toMatchObject({ status: 415, error: { code: 'unsupported_media_type' } });
      continue;
    }
    expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
    const unknown = answer.error?.errors?.filter(({ code }) => code === 'unknown_field') ?? [];
    expect(unknown.length).toBe(row.method === 'GET' ? 1 : 2);
  }
});
