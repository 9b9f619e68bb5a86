import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { describe, expect, test } from 'vitest';
import { createRequestLog } from '../src/http/request-log/create-request-log.ts';
import { routes } from '../src/http/routes.ts';
import { tick } from '../src/jobs/tick.ts';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();

const hourMs = 3_600_000;

type Partner = Awaited<ReturnType<typeof svc.newPartner>>;

/** Opens a console session; returns the headers of its calls. */
async function openPortal({ key }: Pick<Partner, 'key'>, query = '?scope=admin') {
  const link = await svc.call('GET', `/partner/webhook_portal_url${query}`, { key });
  const secret = String(link.data.url).split('#')[1];
  const opened = await svc.call('POST', '/portal/session', { body: { secret } });
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return { headers: { cookie, origin: svc.origin }, session: opened.data };
}

async function listed(partner: Pick<Partner, 'key'>, query = '') {
  const { data } = await svc.call('GET', `/partner/requests${query}`, { key: partner.key });
  // The list's own calls are in the log, too.
  const items = data.items.filter(({ path }: { path: string }) => path !== '/v1/partner/requests');
  return { ...data, items };
}

const actionsOf = async (key: string) => {
  const { data } = await svc.call('GET', '/webhooks/audit_log?limit=100', { key });
  return data.items as {
    action: string;
    via: string;
    subject_id: string | null;
    details: Record<string, unknown>;
    credential: { person: string | null };
  }[];
};

describe('portal scopes', () => {
  const adminRoutes = routes.filter(({ scope }) => scope === 'admin');

  test('a link without the scope admin reaches webhooks only, and the refusal says how to get one', async () => {
    const partner = await svc.newPartner();
    const { headers, session } = await openPortal(partner, '');
    expect(session.scope).toBe('webhooks');
    expect((await svc.call('GET', '/webhooks/endpoints', { headers })).status).toBe(200);
    expect(adminRoutes.length).toBeGreaterThan(10);
    for (const { method, path } of adminRoutes) {
      const address = path.replace(/\{\w+\}/, 'any');
      expect(await svc.call(method, address, { headers })).toMatchObject({
        status: 403,
        error: {
          code: 'admin_scope_required',
          message: expect.stringContaining('/partner/webhook_portal_url?scope=admin'),
        },
      });
    }
  });

  test('a link with the scope admin reads and changes, and is recorded with its person', async () => {
    const partner = await svc.newPartner();
    const { headers, session } = await openPortal(partner, '?scope=admin&person=Ada%20Lane');
    expect(session).toMatchObject({ scope: 'admin', read_only: false });
    for (const { method, path } of adminRoutes.filter((row) => row.method === 'GET')) {
      if (path.includes('{') || path.includes('report')) continue;
      expect((await svc.call(method, path, { headers })).status).toBe(200);
    }
    const body = { allowed_origins: ['https://portal.example'] };
    const put = await svc.call('PUT', '/partner/allowed_origins', { headers, body });
    expect(put.data).toEqual({ ...body, app_schemes: [] });
    const forged = { ...headers, origin: 'https://evil.example' };
    const refused = await svc.call('PUT', '/partner/allowed_origins', { headers: forged, body });
    expect(refused.error?.code).toBe('origin_not_allowed');
    const [changed, opened, linked] = await actionsOf(partner.key);
    expect(changed).toMatchObject({
      action: 'partner.origins_changed',
      via: 'portal',
      credential: { person: 'Ada Lane' },
    });
    expect(opened?.details).toEqual({ scope: 'admin', read_only: false });
    expect(linked?.details).toMatchObject({ scope: 'admin', person: 'Ada Lane' });
    // The console reports the outcome of a debit. Returns and refunds stay with the backend.
    const returned = await svc.call('POST', '/settlements/any/return', { headers, body: {} });
    expect(returned.status).toBe(401);
  });

  test('an admin session reports the outcome of a debit, recorded with its person', async () => {
    const partner = await svc.newPartner();
    await withPlan(svc, partner, 't-debit');
    const [settlement] = (await svc.call('GET', '/settlements', { key: partner.key })).data.items;
    const at = `/settlements/${settlement.id}`;
    const body = { status: 'verified', processor_transaction_id: 'tr_1' };
    const reader = await openPortal(partner, '?scope=admin&read_only=true');
    const refused = await svc.call('PATCH', at, { headers: reader.headers, body });
    expect(refused.error?.code).toBe('read_only_session');
    const { headers } = await openPortal(partner, '?scope=admin&person=Ada%20Lane');
    const foreign = { ...headers, origin: 'https://evil.example' };
    const forged = await svc.call('PATCH', at, { headers: foreign, body });
    expect(forged.error?.code).toBe('origin_not_allowed');
    expect((await svc.call('PATCH', at, { headers, body })).data).toMatchObject(body);
    expect((await actionsOf(partner.key))[0]).toMatchObject({
      action: 'settlement.updated',
      via: 'portal',
      subject_id: settlement.id,
      details: { status: 'verified', status_before: 'unsettled' },
      credential: { person: 'Ada Lane' },
    });
  });

  test('a read-only admin session reads everything and changes nothing', async () => {
    const partner = await svc.newPartner();
    const { headers } = await openPortal(partner, '?scope=admin&read_only=true');
    const keys = await svc.call('GET', '/partner/api_keys', { headers });
    expect(keys.data.items).toHaveLength(1);
    const created = await svc.call('POST', '/partner/api_keys', { headers, body: { name: 'x' } });
    expect(created.error?.code).toBe('read_only_session');
  });
});

describe('the audit log of a link without the scope admin', () => {
  test('the log has only the entries about webhooks and the brand, with each filter', async () => {
    const partner = await svc.newPartner();
    const { key } = partner;
    await svc.call('POST', '/webhooks/endpoints', { key, body: { url: 'http://127.0.0.1:9/' } });
    await svc.call('POST', '/partner/api_keys', { key, body: { name: 'Billing' } });
    await svc.call('PUT', '/partner/appearance', { key, body: { accent: '#0a5c36' } });
    const admin = await openPortal(partner);
    const webhooks = await openPortal(partner, '');
    const actions = async (by: { headers: Record<string, string> }, query = '') => {
      const { data } = await svc.call('GET', `/webhooks/audit_log?limit=100${query}`, by);
      return data.items.map(({ action }: { action: string }) => action);
    };
    const portal = ['session_opened', 'link_created', 'session_opened', 'link_created'];
    const shared = portal.map((name) => `portal.${name}`);
    expect(await actions(webhooks)).toEqual([
      ...shared,
      'partner.appearance_changed',
      'endpoint.created',
    ]);
    expect(await actions(admin)).toEqual([
      ...shared,
      'partner.appearance_changed',
      'key.created',
      'endpoint.created',
    ]);
    expect(await actions(webhooks, '&group=key')).toEqual([]);
    expect(await actions(webhooks, `&credential_id=${partner.keyId}`)).not.toContain('key.created');
  });
});

describe('API keys', () => {
  const works = async (key: string) => (await svc.call('GET', '/settlements', { key })).status;

  test('a key is created with a name, works, and is never shown again', async () => {
    const partner = await svc.newPartner();
    const made = await svc.call('POST', '/partner/api_keys', {
      key: partner.key,
      body: { name: 'Billing backend' },
    });
    const { api_key: secret, warnings, ...shown } = made.data;
    expect(warnings).toEqual([]);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Billing backend',
      scopes: ['everything'],
      prefix: 'svc_sandbox_',
      ends_with: secret.slice(-4),
      state: 'live',
      created_at: svc.clock.now().toISOString(),
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      is_current: false,
    });
    expect(await works(secret)).toBe(200);
    const { data } = await svc.call('GET', '/partner/api_keys', { key: partner.key });
    expect(data.items).toMatchObject([
      { ...shown, last_used_at: expect.any(String) },
      { id: partner.keyId, name: null, is_current: true },
    ]);
    expect(JSON.stringify(data)).not.toContain(secret);
    const [entry] = await actionsOf(partner.key);
    expect(entry).toMatchObject({
      action: 'key.created',
      subject_id: shown.id,
      details: { name: 'Billing backend', ends_with: secret.slice(-4) },
    });
    expect(JSON.stringify(await actionsOf(partner.key))).not.toContain(secret);
  });

  test('a repeated Idempotency-Key never gets the secret again, and sees the present state', async () => {
    const partner = await svc.newPartner();
    const { headers } = await openPortal(partner);
    const repeat = { 'idempotency-key': 'create-1' };
    const create = (by: object) =>
      svc.call('POST', '/partner/api_keys', { body: { name: 'Billing' }, ...by });
    const first = await create({ key: partner.key, headers: repeat });
    expect(first.data).toMatchObject({ state: 'live', warnings: [] });
    expect(await works(first.data.api_key)).toBe(200);
    await svc.call('DELETE', `/partner/api_keys/${first.data.id}`, { key: partner.key });
    for (const by of [
      { key: partner.key, headers: repeat },
      { headers: { ...headers, ...repeat } },
    ]) {
      const again = await create(by);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again).toMatchObject({
        status: 200,
        data: {
          id: first.data.id,
          state: 'revoked',
          api_key: null,
          warnings: [
            {
              code: 'secret_shown_once',
              message: expect.stringContaining(`revoke ${first.data.id}`),
            },
          ],
        },
      });
    }
    const { data } = await svc.call('GET', '/partner/api_keys', { key: partner.key });
    expect(data.items).toHaveLength(2);
  });

  test('a repeated rotation names both keys without the secret', async () => {
    const partner = await svc.newPartner();
    const rotate = (key: string) =>
      svc.call('POST', `/partner/api_keys/${partner.keyId}/rotate`, {
        key,
        body: { overlap_hours: 1 },
        headers: { 'idempotency-key': 'rotate-1' },
      });
    const first = await rotate(partner.key);
    const { api_key, ...facts } = first.data;
    const again = await rotate(api_key);
    expect(again.data).toMatchObject({ id: facts.id, api_key: null, replaces: facts.replaces });
    expect(JSON.stringify(again.data)).not.toContain(api_key);
  });

  test('a key or signing secret needs a link that was opened in the last 15 minutes', async () => {
    const partner = await svc.newPartner();
    const key = partner.key;
    const { data: endpoint } = await svc.call('POST', '/webhooks/endpoints', {
      key,
      body: { url: 'http://127.0.0.1:9/hook' },
    });
    const { headers } = await openPortal(partner);
    const guarded = routes.filter(({ freshLink }) => freshLink);
    expect(guarded.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /partner/debit_account',
      'POST /partner/api_keys',
      'POST /partner/api_keys/{id}/rotate',
      'DELETE /partner/api_keys/{id}',
      'GET /webhooks/endpoints/{id}/secret',
      'POST /webhooks/endpoints/{id}/secret/rotate',
      'POST /webhooks/endpoints/{id}/public_key/rotate',
    ]);
    const readSecret = (by: object) =>
      svc.call('GET', `/webhooks/endpoints/${endpoint.id}/secret`, by);
    svc.clock.advance(15 * 60_000);
    expect((await readSecret({ headers })).status).toBe(200);
    svc.clock.advance(1_000);
    for (const { method, path } of guarded) {
      expect(await svc.call(method, path.replace('{id}', 'any'), { headers })).toMatchObject({
        status: 403,
        error: { code: 'fresh_link_required', message: expect.stringContaining('fresh link') },
      });
    }
    expect((await svc.call('GET', '/partner/api_keys', { headers })).status).toBe(200);
    expect((await readSecret({ key })).status).toBe(200);
    expect((await readSecret(await openPortal(partner))).status).toBe(200);
  });

  test('signing everyone out names the keys that the sessions created and that still work', async () => {
    const partner = await svc.newPartner();
    const { headers, session } = await openPortal(partner);
    const create = async (name: string, by: object) =>
      (await svc.call('POST', '/partner/api_keys', { body: { name }, ...by })).data.id as string;
    const kept = await create('Left behind', { headers });
    const gone = await create('Revoked', { headers });
    await create('By the backend', { key: partner.key });
    await svc.call('DELETE', `/partner/api_keys/${gone}`, { headers });
    const { data: listed } = await svc.call('GET', '/portal/sessions', { headers });
    expect(listed.items).toMatchObject([
      { id: session.id, api_keys: [{ id: kept, name: 'Left behind' }] },
    ]);
    const ended = await svc.call('DELETE', '/partner/webhook_portal_sessions', {
      key: partner.key,
    });
    expect(ended.data).toEqual({ revoked: 1, api_keys: [{ id: kept, name: 'Left behind' }] });
    const again = await svc.call('DELETE', '/partner/webhook_portal_sessions', {
      key: partner.key,
    });
    expect(again.data).toEqual({ revoked: 0, api_keys: [] });
  });

  test('a rotated key works until its overlap ends, for the API, the widget and the portal', async () => {
    const partner = await svc.newPartner();
    await svc.call('POST', '/tenant/portal_info/t-1', { key: partner.key, body: ada });
    const { headers } = await openPortal(partner);
    const rotated = await svc.call('POST', `/partner/api_keys/${partner.keyId}/rotate`, {
      key: partner.key,
      body: { overlap_hours: 2 },
    });
    const next = rotated.data.api_key;
    const ends = new Date(svc.clock.now().getTime() + 2 * hourMs).toISOString();
    expect(rotated.data.replaces).toEqual({ id: partner.keyId, expires_at: ends });
    const again = await svc.call('POST', `/partner/api_keys/${partner.keyId}/rotate`, {
      key: next,
      body: {},
    });
    expect(again.error).toMatchObject({
      code: 'version_conflict',
      message: expect.stringContaining('was rotated already'),
    });
    const widget = async (apiKey: string) => {
      const external_id = 't-1';
      const signature = await signWidget({ apiKey, pms: partner.pms, externalId: external_id });
      const body = { pms: partner.pms, external_id, signature };
      return (await svc.call('POST', '/widget/session', { body })).status;
    };
    const access = async (key: string) => [await works(key), await widget(key)];
    svc.clock.advance(2 * hourMs - 10_000);
    expect([await access(partner.key), await access(next)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    const { data } = await svc.call('GET', '/partner/api_keys', { key: next });
    expect(data.items.map(({ state }: { state: string }) => state)).toEqual(['live', 'expiring']);
    svc.clock.advance(20_000);
    expect([await access(partner.key), await access(next)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    await tick({ ...svc, log: quiet });
    expect((await svc.call('GET', '/partner/api_keys', { headers })).status).toBe(401);
    const after = await svc.call('GET', '/partner/api_keys', { key: next });
    expect(after.data.items[1]).toMatchObject({ state: 'revoked', revoked_at: ends });
  });

  test('the console session that rotates its own key at once stays open; others end', async () => {
    const partner = await svc.newPartner();
    const mine = await openPortal(partner);
    const other = await openPortal(partner);
    const rotated = await svc.call('POST', `/partner/api_keys/${partner.keyId}/rotate`, {
      headers: mine.headers,
      body: { overlap_hours: 0 },
    });
    expect(await works(partner.key)).toBe(401);
    expect(await works(rotated.data.api_key)).toBe(200);
    expect((await svc.call('GET', '/webhooks/endpoints', other)).status).toBe(401);
    const { data } = await svc.call('GET', '/partner/api_keys', mine);
    expect(data.items).toMatchObject([
      { id: rotated.data.id, state: 'live', is_current: true },
      { id: partner.keyId, state: 'revoked', is_current: false },
    ]);
    svc.clock.advance(15 * 60_000 + 1_000);
    expect((await svc.call('GET', '/partner/api_keys', mine)).status).toBe(401);
  });

  test('revoking ends the key and its sessions; the last key cannot be revoked', async () => {
    const partner = await svc.newPartner();
    const last = await svc.call('DELETE', `/partner/api_keys/${partner.keyId}`, {
      key: partner.key,
    });
    expect(last).toMatchObject({ status: 409, error: { code: 'last_api_key' } });
    const body = { name: 'Second' };
    const { data: second } = await svc.call('POST', '/partner/api_keys', {
      key: partner.key,
      body,
    });
    const { headers } = await openPortal(partner);
    // Each may revoke the other; the lock lets one of them win.
    const both = await Promise.all([
      svc.call('DELETE', `/partner/api_keys/${partner.keyId}`, { key: second.api_key }),
      svc.call('DELETE', `/partner/api_keys/${second.id}`, { key: partner.key }),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const [left, gone] =
      both[0].status === 200 ? [second.api_key, partner.key] : [partner.key, second.api_key];
    expect([await works(left), await works(gone)]).toEqual([200, 401]);
    expect((await svc.call('GET', '/webhooks/endpoints', { headers })).status).toBe(
      gone === partner.key ? 401 : 200,
    );
    const stranger = await svc.newPartner();
    const foreign = await svc.call('DELETE', `/partner/api_keys/${partner.keyId}`, {
      key: stranger.key,
    });
    expect(foreign.status).toBe(404);
  });
});

describe('the request log', () => {
  test('each call is found by id, tenant, status, code, method, path and time', async () => {
    const partner = await svc.newPartner();
    const { key } = partner;
    const from = svc.clock.now().toISOString();
    const headers = { 'user-agent': 'maple-backend/1.0' };
    const sent = await svc.call('POST', '/tenant/portal_info/t-1?dry_run=true', {
      key,
      headers,
      body: ada,
    });
    svc.clock.advance(60_000);
    const later = svc.clock.now().toISOString();
    const wrong = await svc.call('POST', '/tenant/portal_info/t-2', { key, body: { nick: 'A' } });
    await svc.call('GET', '/settlements/stl_missing', { key });
    const browser = await svc.call('GET', '/settlements', {
      key,
      headers: { origin: 'https://portal.example' },
    });
    expect(browser.error?.code).toBe('browser_call');
    const { items } = await listed(partner);
    expect(items).toMatchObject([
      { status: 403, code: 'browser_call', path: '/v1/settlements' },
      { status: 404, code: 'settlement_not_found', path: '/v1/settlements/stl_missing' },
      { status: 422, code: 'validation_failed', external_id: 't-2' },
      {
        request_id: sent.headers.get('x-request-id'),
        occurred_at: from,
        method: 'POST',
        path: '/v1/tenant/portal_info/t-1',
        status: 200,
        duration_in_ms: expect.any(Number),
        code: null,
        external_id: 't-1',
        user_agent: 'maple-backend/1.0',
        api_key: { id: partner.keyId, name: null, ends_with: key.slice(-4) },
      },
    ]);
    const count = async (query: string) => (await listed(partner, query)).items.length;
    expect(await count(`?request_id=${wrong.headers.get('x-request-id')}`)).toBe(1);
    expect(await count('?external_id=t-1')).toBe(1);
    expect(await count('?status=4xx')).toBe(3);
    expect(await count('?status=404')).toBe(1);
    expect(await count('?code=validation_failed')).toBe(1);
    expect(await count('?method=POST')).toBe(2);
    expect(await count('?path=/tenant')).toBe(2);
    expect(await count('?path=/v1/settlements')).toBe(2);
    expect(await count(`?since=${later}`)).toBe(3);
    expect(await count(`?until=${later}`)).toBe(1);
    const detail = await svc.call('GET', `/partner/requests/${sent.headers.get('x-request-id')}`, {
      key,
    });
    expect(detail.data).toMatchObject({
      query: { dry_run: 'true' },
      request_body: { first_name: '[redacted]', charges: [{ id: 'C-1' }] },
      error: null,
    });
    const refused = await svc.call(
      'GET',
      `/partner/requests/${wrong.headers.get('x-request-id')}`,
      {
        key,
      },
    );
    expect(refused.data.error).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining({ param: 'nick' })]),
      doc_url: `${svc.origin}/docs/errors#validation_failed`,
    });
  });

  test('pages continue at the cursor, and another partner sees nothing', async () => {
    const partner = await svc.newPartner();
    for (let call = 0; call < 5; call += 1) {
      await svc.call('GET', '/tenants/t-9', { key: partner.key });
    }
    const query = '?path=/tenants&limit=2';
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await svc.call('GET', `/partner/requests${query}${after}`, { key: partner.key });
      ids.push(...page.data.items.map((item: { request_id: string }) => item.request_id));
      cursor = page.data.next_cursor;
    }
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    expect([...ids].sort().reverse()).toEqual(ids);
    const stranger = await svc.newPartner();
    expect((await listed(stranger)).items).toEqual([]);
    const foreign = await svc.call('GET', `/partner/requests/${ids[0]}`, { key: stranger.key });
    expect(foreign.status).toBe(404);
  });

  test('a settlement’s calls are found by its tenant; portal calls are not logged', async () => {
    const partner = await svc.newPartner();
    await withPlan(svc, partner, 't-plan');
    const { data } = await svc.call('GET', '/settlements', { key: partner.key });
    await svc.call('PATCH', `/settlements/${data.items[0].id}`, {
      key: partner.key,
      body: { status: 'unverified', processor_transaction_id: 'tx-1' },
    });
    const { headers } = await openPortal(partner);
    await svc.call('GET', '/settlements', { headers });
    const { items } = await listed(partner, '?external_id=t-plan&path=/settlements');
    expect(items).toMatchObject([{ method: 'PATCH', external_id: 't-plan' }]);
  });

  test('a call does not wait for the log, which is complete once the database is free', async () => {
    const partner = await svc.newPartner();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const holding = svc.db.transaction(async (tx) => {
      await tx.run(sql`lock table request_log in access exclusive mode`);
      locked();
      await released;
    });
    await isLocked;
    if (svc.db.kind === 'server') {
      for (let call = 0; call < 3; call += 1) {
        expect((await svc.call('GET', '/settlements', { key: partner.key })).status).toBe(200);
      }
    }
    release();
    await holding;
    const expected = svc.db.kind === 'server' ? 3 : 0;
    await expect.poll(async () => (await listed(partner)).items.length).toBe(expected);
  });

  test('a full buffer drops calls and counts them', async () => {
    const partner = await svc.newPartner();
    const counted = { written: 0, dropped: 0 };
    const warnings: object[] = [];
    const log = createRequestLog({
      db: svc.db,
      clock: { now: svc.clock.now, after: () => () => {} },
      log: { info() {}, error() {}, warn: (fields) => void warnings.push(fields) },
      requestLogObserver: {
        written(rows) {
          counted.written += rows;
        },
        dropped(rows) {
          counted.dropped += rows;
        },
      },
    });
    for (let call = 0; call < 10_007; call += 1) {
      log.record(() => ({
        partner_id: partner.id,
        id: `req_full${String(call).padStart(22, '0')}`,
        key_id: partner.keyId,
        occurred_at: svc.clock.now().toISOString(),
        method: 'GET',
        path: '/v1/settlements',
        status: 200,
        duration_ms: 1,
        code: null,
        external_id: null,
        user_agent: null,
        query: {},
        request_body: null,
        error: null,
      }));
    }
    await log.stop();
    expect(counted).toEqual({ written: 10_000, dropped: 7 });
    expect(warnings).toEqual([{ dropped: 1 }]);
    // More rows than one page may scan: the page says how far it got, and the next one continues.
    const none = await svc.call('GET', '/partner/requests?method=PUT', { key: partner.key });
    expect(none.data).toMatchObject({ items: [], searched_back_to: expect.any(String) });
    const rest = `/partner/requests?method=PUT&cursor=${none.data.next_cursor}`;
    expect((await svc.call('GET', rest, { key: partner.key })).data).toMatchObject({
      items: [],
      next_cursor: null,
      searched_back_to: null,
    });
  });

  test('calls are kept for 7 days, and deleted when their tenant is erased', async () => {
    const partner = await svc.newPartner();
    const { key, pms } = partner;
    await svc.call('POST', '/tenant/portal_info/t-old', { key, body: ada });
    await svc.call('POST', '/tenant/portal_info/t-erased', { key, body: ada });
    expect((await listed(partner)).items).toHaveLength(2);
    const erased = await svc.administer({
      command: 'tenant erase',
      pms,
      external_id: 't-erased',
    });
    expect(erased).toMatchObject({ ok: true });
    expect((await listed(partner)).items).toMatchObject([{ external_id: 't-old' }]);
    svc.clock.advance(7 * 24 * hourMs + 1);
    await tick({ ...svc, log: quiet });
    const { count } = await oneRowOf<{ count: number }>(
      svc.db,
      sql`select count(*)::integer as count from request_log where partner_id = ${partner.id}
        and external_id = 't-old'`,
    );
    expect(count).toBe(0);
  });
});

const quiet = { info() {}, warn() {}, error() {} };

test('tenants are listed with balance, plan and clock, and found by the beginning of their id', async () => {
  const partner = await svc.newPartner();
  const { key } = partner;
  await withPlan(svc, partner, 'b-plan');
  await svc.call('POST', '/tenant/portal_info/a-1', { key, body: ada });
  await svc.call('POST', '/tenant/portal_info/a-2', { key, body: { ...ada, charges: [] } });
  const page = await svc.call('GET', '/partner/tenants', { key });
  expect(page.data.items).toMatchObject([
    {
      external_id: 'a-2',
      balance: { state: 'paid', amount_in_cents: 0, due_date: null },
      plan: null,
      charged_off_plan_id: null,
      simulated_time: null,
    },
    {
      external_id: 'a-1',
      balance: { state: 'owed', amount_in_cents: 152_012, due_date: '2026-02-01' },
    },
    {
      external_id: 'b-plan',
      plan: { id: expect.stringMatching(/^pln_/), state: 'active' },
    },
  ]);
  const found = async (query: string) => {
    const { data } = await svc.call('GET', `/partner/tenants?${query}`, { key });
    const ids = data.items.map((item: { external_id: string }) => item.external_id);
    return [ids, data.next_cursor];
  };
  expect(await found('search=a-')).toEqual([['a-1', 'a-2'], null]);
  const [beginning, rest] = await found('search=a-&limit=1');
  expect(beginning).toEqual(['a-1']);
  expect(await found(`search=a-&limit=1&cursor=${rest}`)).toEqual([['a-2'], null]);
  expect(await found('search=%20A-%20')).toEqual([['a-1', 'a-2'], null]);
  expect((await found('search=%20'))[0]).toHaveLength(3);
  expect(await found('search=%25')).toEqual([[], null]);
  const [first, next] = await found('limit=2');
  expect(first).toEqual(['a-2', 'a-1']);
  expect(await found(`limit=2&cursor=${next}`)).toEqual([['b-plan'], null]);
  const stranger = await svc.newPartner();
  const foreign = await svc.call('GET', '/partner/tenants', { key: stranger.key });
  expect(foreign.data.items).toEqual([]);
});
