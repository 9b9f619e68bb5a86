import { portalViews } from '@svc/contract';
import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import type { Route } from '../src/http/route.ts';
import { routes } from '../src/http/routes.ts';
import { deleteExpired } from '../src/jobs/delete-expired.ts';
import { ada, useService } from './harness.ts';

const svc = await useService();

type View = (typeof portalViews)[number];

const office = 'https://office.example';

/** Every route that a console session may call. */
const forPortal = routes.filter(({ who }) => who.includes('portal'));
const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

/**
 * The routes of each view: its reads, and the writes of a token that asked for them. A new route of the
 * console fails the test until somebody has decided whether a view needs it.
 */
const reads: Record<View, readonly string[]> = {
  settlements: [
    'GET /portal/session',
    'GET /settlements',
    'GET /settlements/report',
    'GET /settlements/report.csv',
    'GET /settlements/{id}',
    'GET /settlements/{id}/refunds',
  ],
  tenant_plan: ['GET /portal/session', 'GET /tenants/{external_id}'],
  webhooks: [
    'GET /portal/session',
    'GET /portal/test_presets',
    'GET /webhooks/activity',
    'GET /webhooks/attempts',
    'GET /webhooks/deliveries',
    'GET /webhooks/deliveries/export.csv',
    'GET /webhooks/deliveries/export.json',
    'GET /webhooks/egress_ips',
    'GET /webhooks/endpoints',
    'GET /webhooks/endpoints/health',
    'GET /webhooks/endpoints/{id}',
    'GET /webhooks/event_types',
    'GET /webhooks/messages',
    'GET /webhooks/messages/{id}',
    'GET /webhooks/messages/{id}/attempts',
    'GET /webhooks/replays',
    'GET /webhooks/replays/{id}',
  ],
};
const writes: Record<View, readonly string[]> = {
  settlements: ['PATCH /settlements/{id}'],
  tenant_plan: [],
  webhooks: [
    'DELETE /portal/test_presets/{id}',
    'DELETE /webhooks/endpoints/{id}',
    'PATCH /webhooks/endpoints/{id}',
    'POST /portal/test_presets',
    'POST /webhooks/endpoints',
    'POST /webhooks/endpoints/{id}/test',
    'POST /webhooks/filter_preview',
    'POST /webhooks/messages',
    'POST /webhooks/messages/{id}/expunge',
    'POST /webhooks/messages/{id}/replay',
    'POST /webhooks/replays',
    'POST /webhooks/replays/{id}/cancel',
    'POST /webhooks/replays/{id}/pause',
    'POST /webhooks/replays/{id}/resume',
  ],
};

type Partner = Awaited<ReturnType<typeof newOffice>>;

async function newOffice() {
  const partner = await svc.newPartner();
  await svc.call('PUT', '/partner/allowed_origins', {
    key: partner.key,
    body: { allowed_origins: [office] },
  });
  for (const id of ['t-1', 't-2']) {
    await svc.call('POST', `/tenant/portal_info/${id}`, { key: partner.key, body: ada });
  }
  return partner;
}

async function createToken({ key }: Pick<Partner, 'key'>, body: object) {
  const created = await svc.call('POST', '/portal_tokens', { key, body });
  const headers = { authorization: `Bearer ${created.data?.token}`, origin: svc.origin };
  return { created, headers };
}

const inputOf = (view: View) => ({
  view,
  ...(view === 'tenant_plan' && { external_id: 't-1' }),
});

test.each(portalViews)('a token for the view %s reaches its routes and no others', async (view) => {
  const partner = await newOffice();
  for (const read_only of view === 'tenant_plan' ? [true] : [true, false]) {
    const { headers } = await createToken(partner, { ...inputOf(view), read_only });
    const reached: string[] = [];
    for (const row of forPortal) {
      const address = row.path.replace('{external_id}', 't-1').replace(/\{\w+\}/g, 'any');
      const answer = await fetch(`${svc.url}/v1${address}`, { method: row.method, headers });
      const text = await answer.text();
      // A read-only token must not learn more about a write than that it is not part of the view.
      const isRefused = answer.status === 403 && /"(outside_of_view|read_only_session)"/.test(text);
      if (!isRefused) reached.push(nameOf(row));
      expect(answer.status).not.toBe(401);
    }
    const may = [...reads[view], ...(read_only ? [] : writes[view])];
    expect(reached.sort()).toEqual(may.sort());
  }
});

test('no view reaches a route that shows or changes a secret', () => {
  const inViews = routes.filter(({ views = [] }) => views.length > 0);
  expect(inViews.filter(({ secret, freshLink }) => secret || freshLink)).toEqual([]);
});

test('each route of the view of one tenant names the tenant, but for the session', () => {
  const ofTenant = routes.filter(({ views = [] }) => views.includes('tenant_plan'));
  expect(ofTenant.filter(({ path }) => !path.includes('{external_id}')).map(nameOf)).toEqual([
    'GET /portal/session',
  ]);
});

test('the refusal is a sentence', async () => {
  const { headers } = await createToken(await newOffice(), inputOf('settlements'));
  expect(await svc.call('GET', '/partner/api_keys', { headers })).toMatchObject({
    status: 403,
    error: {
      code: 'outside_of_view',
      message: 'This token opens the view settlements, and this call belongs to no view.',
    },
  });
  expect(await svc.call('GET', '/webhooks/messages', { headers })).toMatchObject({
    error: {
      message: 'This token opens the view settlements, and this call belongs to the view webhooks.',
    },
  });
});

test('a token of one tenant shows no other, nor one with another spelling of the address', async () => {
  const { headers } = await createToken(await newOffice(), inputOf('tenant_plan'));
  expect((await svc.call('GET', '/tenants/t-1', { headers })).data.external_id).toBe('t-1');
  expect((await svc.call('GET', '/tenants/t%2D1', { headers })).data.external_id).toBe('t-1');
  for (const other of ['t-2', 't%2D2', 'T-1', 't-1%20', 'nobody']) {
    expect(await svc.call('GET', `/tenants/${other}`, { headers })).toMatchObject({
      status: 403,
      error: { code: 'outside_of_view', message: 'This token shows another tenant.' },
    });
  }
});

test('a token of one partner shows nothing of another', async () => {
  const [mine, theirs] = [await newOffice(), await newOffice()];
  const { headers } = await createToken(mine, { view: 'webhooks', read_only: false });
  const made = await svc.call('POST', '/webhooks/endpoints', {
    key: theirs.key,
    body: { url: 'http://127.0.0.1:9/hook' },
  });
  const address = `/webhooks/endpoints/${made.data.id}`;
  expect((await svc.call('GET', address, { headers })).status).toBe(404);
  expect((await svc.call('DELETE', address, { headers })).status).toBe(404);
});

describe('a token', () => {
  test('is read-only and lasts 15 minutes unless more was asked for', async () => {
    const partner = await newOffice();
    const { created, headers } = await createToken(partner, inputOf('settlements'));
    expect(created).toMatchObject({ status: 200, data: { read_only: true, external_id: null } });
    expect(created.data.token).toMatch(/^svc_pt_\w{43}$/);
    const { data } = await svc.call('GET', '/portal/session', { headers });
    expect(data).toMatchObject({ pms: partner.pms, view: 'settlements', scope: 'admin' });
    expect(data.expires_at).toBe(created.data.expires_at);
    svc.clock.advance(15 * 60_000 - 1);
    expect((await svc.call('GET', '/settlements', { headers })).status).toBe(200);
    svc.clock.advance(1);
    expect(await svc.call('GET', '/settlements', { headers })).toMatchObject({
      status: 401,
      error: { code: 'invalid_credentials', message: expect.stringContaining('/v1/portal_tokens') },
    });
    expect((await svc.call('GET', '/portal/session', { headers })).data).toBeNull();
  });

  test('of an hour does not idle out after 30 minutes, and lives no longer when it is used', async () => {
    const { headers } = await createToken(await newOffice(), {
      view: 'settlements',
      expires_in: 3600,
    });
    svc.clock.advance(45 * 60_000);
    expect((await svc.call('GET', '/settlements', { headers })).status).toBe(200);
    svc.clock.advance(15 * 60_000);
    expect((await svc.call('GET', '/settlements', { headers })).status).toBe(401);
  });

  test('works from no page of another origin, and changes nothing without an origin', async () => {
    const { headers } = await createToken(await newOffice(), {
      view: 'webhooks',
      read_only: false,
    });
    const { authorization } = headers;
    for (const origin of [office, 'https://evil.example', 'null']) {
      const stolen = { authorization, origin };
      expect(await svc.call('GET', '/webhooks/endpoints', { headers: stolen })).toMatchObject({
        status: 403,
        error: { code: 'origin_not_allowed' },
      });
    }
    const body = { url: 'http://127.0.0.1:9/hook' };
    expect(
      (await svc.call('GET', '/webhooks/endpoints', { headers: { authorization } })).status,
    ).toBe(200);
    expect(
      (await svc.call('POST', '/webhooks/endpoints', { headers: { authorization }, body })).status,
    ).toBe(403);
    expect((await svc.call('POST', '/webhooks/endpoints', { headers, body })).status).toBe(200);
  });

  test('is no cookie, a cookie is no token, and neither is an API key', async () => {
    const partner = await newOffice();
    const { created, headers } = await createToken(partner, { view: 'webhooks' });
    const cookie = { cookie: `svc_portal=${created.data.token}`, origin: svc.origin };
    expect((await svc.call('GET', '/webhooks/endpoints', { headers: cookie })).status).toBe(401);
    expect((await svc.call('GET', '/partner', { headers })).status).toBe(401);
    const link = await svc.call('GET', '/partner/webhook_portal_url', { key: partner.key });
    const secret = link.data.url.split('#')[1];
    const opened = await svc.call('POST', '/portal/session', { body: { secret } });
    const session = opened.headers.get('set-cookie')?.match(/svc_portal=(\w+)/)?.[1] ?? '';
    expect(session).toMatch(/^svc_ps_/);
    for (const forged of [session, session.replace('svc_ps_', 'svc_pt_')]) {
      const bearer = { authorization: `Bearer ${forged}` };
      expect((await svc.call('GET', '/webhooks/endpoints', { headers: bearer })).status).toBe(401);
    }
    // An invalid token is refused even if the request also has a valid console cookie.
    const both = { authorization: 'Bearer svc_pt_wrong', cookie: `svc_portal=${session}` };
    expect((await svc.call('GET', '/webhooks/endpoints', { headers: both })).status).toBe(401);
  });

  test('ends with its API key, and when everyone is signed out', async () => {
    const partner = await newOffice();
    const made = await svc.call('POST', '/partner/api_keys', {
      key: partner.key,
      body: { name: 'Office' },
    });
    const byKey = await createToken({ key: made.data.api_key }, inputOf('settlements'));
    const other = await createToken(partner, inputOf('settlements'));
    await svc.call('DELETE', `/partner/api_keys/${made.data.id}`, { key: partner.key });
    expect((await svc.call('GET', '/settlements', byKey)).status).toBe(401);
    expect((await svc.call('GET', '/settlements', other)).status).toBe(200);
    await svc.call('DELETE', '/partner/webhook_portal_sessions', { key: partner.key });
    expect((await svc.call('GET', '/settlements', other)).status).toBe(401);
  });

  test('is in the audit log if it can make changes, and so is what it changed', async () => {
    const partner = await newOffice();
    await createToken(partner, { view: 'webhooks', person: 'Ann' });
    const { headers } = await createToken(partner, {
      view: 'webhooks',
      read_only: false,
      person: 'Sam Ortiz',
    });
    const body = { url: 'http://127.0.0.1:9/hook' };
    await svc.call('POST', '/webhooks/endpoints', { headers, body });
    const { data } = await svc.call('GET', '/webhooks/audit_log?limit=2', { key: partner.key });
    expect(data.items).toMatchObject([
      { action: 'endpoint.created', credential: { person: 'Sam Ortiz' } },
      { action: 'portal.token_created', details: { view: 'webhooks', person: 'Sam Ortiz' } },
    ]);
  });

  test('is listed after the sessions of people, and deleted a day after its end if it only read', async () => {
    const partner = await newOffice();
    const link = await svc.call('GET', '/partner/webhook_portal_url', { key: partner.key });
    const secret = link.data.url.split('#')[1];
    const opened = await svc.call('POST', '/portal/session', { body: { secret } });
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    await createToken(partner, inputOf('settlements'));
    await createToken(partner, { view: 'webhooks', read_only: false });
    const { data } = await svc.call('GET', '/portal/sessions', { headers: { cookie } });
    expect(data.items.map(({ view }: { view: View | null }) => view)).toEqual([
      null,
      'webhooks',
      'settlements',
    ]);
    svc.clock.advance(25 * 3_600_000);
    await deleteExpired({ db: svc.db, now: svc.clock.now(), service: svc.service }, 100);
    const row = await oneRowOf<{ views: string[] }>(
      svc.db,
      sql`select array_agg(view order by view) filter (where view is not null) as views
        from portal_session where partner_id = ${partner.id}`,
    );
    expect(row.views).toEqual(['webhooks']);
  });
});

describe('creating a token', () => {
  test.each([
    [{ view: 'payouts' }, 'view'],
    [{ view: 'tenant_plan' }, 'external_id'],
    [{ view: 'settlements', external_id: 't-1' }, 'external_id'],
    [{ view: 'tenant_plan', external_id: 't-1', read_only: false }, 'read_only'],
    [{ view: 'settlements', read_only: 'no' }, 'read_only'],
    [{ view: 'settlements', expires_in: 3601 }, 'expires_in'],
    [{ view: 'settlements', expires_in: 119 }, 'expires_in'],
    [{ view: 'settlements', scope: 'admin' }, 'scope'],
  ])('%j is refused because of %s', async (body, param) => {
    const { created } = await createToken(await newOffice(), body);
    expect(created).toMatchObject({ status: 422, error: { code: 'validation_failed', param } });
  });

  test('needs a known tenant', async () => {
    const body = { view: 'tenant_plan', external_id: 'nobody' };
    const { created } = await createToken(await newOffice(), body);
    expect(created).toMatchObject({ status: 404, error: { code: 'tenant_not_found' } });
  });

  test('needs a stored origin, in the sandbox too', async () => {
    const { created } = await createToken(await svc.newPartner(), inputOf('settlements'));
    expect(created).toMatchObject({ status: 409, error: { code: 'no_allowed_origins' } });
  });
});

describe('the page of the frame', () => {
  const policyOf = async (pms: string) => {
    const page = await fetch(`${svc.url}/portal/frame/${pms}`);
    return { page, policy: page.headers.get('content-security-policy') ?? '' };
  };

  test('can be framed by the stored origins only', async () => {
    const { page, policy } = await policyOf((await newOffice()).pms);
    expect(page.status).toBe(200);
    expect(policy).toContain(`frame-ancestors ${office}`);
    expect(policy).not.toContain('*');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(await page.text()).toContain(`<meta name="svc-allowed-origins" content="${office}"`);
  });

  test('can be framed by no page while no origin is stored, and there is none of an unknown portal', async () => {
    const { page, policy } = await policyOf((await svc.newPartner()).pms);
    expect(page.status).toBe(200);
    expect(policy).toContain("frame-ancestors 'none'");
    expect((await policyOf('nobody')).page.status).toBe(404);
  });

  test('leaves the console itself without any frame', async () => {
    for (const path of ['/portal', '/portal/settlements']) {
      const page = await fetch(`${svc.url}${path}`);
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });
});
