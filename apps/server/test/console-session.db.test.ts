import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { startRunning, useService } from './harness.ts';

const svc = await useService();

const minuteMs = 60_000;
const read = async (headers: Record<string, string>) =>
  (await svc.call('GET', '/webhooks/endpoints', { headers })).status;

const url = { url: 'http://127.0.0.1:9/hook' };

async function openPortal({ readOnly = false, person = '', owner = svc.newPartner() } = {}) {
  const partner = await owner;
  const named = person === '' ? '' : `&person=${encodeURIComponent(person)}`;
  const link = await svc.call('GET', `/partner/webhook_portal_url?read_only=${readOnly}${named}`, {
    key: partner.key,
  });
  const [page, secret] = String(link.data.url).split('#');
  const opened = await svc.call('POST', '/portal/session', { body: { secret } });
  const cookie = opened.headers.get('set-cookie') ?? '';
  const headers = { cookie: cookie.split(';', 1)[0] ?? '', origin: svc.origin };
  return { ...partner, page, secret, opened, cookie, headers };
}

test('a link opens one session and works once', async () => {
  const { page, secret, opened, cookie, headers, pms } = await openPortal();
  expect(page).toBe(`${svc.origin}/portal`);
  expect(opened.data).toEqual({
    id: expect.stringMatching(/^pss_/),
    pms,
    environment: 'sandbox',
    read_only: false,
    scope: 'webhooks',
    view: null,
    external_id: null,
    person: null,
    expires_at: '2026-01-21T15:00:00.000Z',
  });
  expect(JSON.stringify(opened.data)).not.toContain('svc_ps_');
  expect(cookie).toMatch(/^svc_portal=svc_ps_\w+; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/);
  expect((await svc.call('GET', '/portal/session', { headers })).data).toEqual(opened.data);
  expect(await svc.call('POST', '/portal/session', { body: { secret } })).toMatchObject({
    status: 401,
    error: { code: 'token_invalid' },
  });
});

test('a link expires after ten minutes, a session after a day', async () => {
  const partner = await svc.newPartner();
  const link = await svc.call('GET', '/partner/webhook_portal_url', { key: partner.key });
  const { headers } = await openPortal();
  svc.clock.advance(10 * 60_000);
  const secret = link.data.url.split('#')[1];
  expect((await svc.call('POST', '/portal/session', { body: { secret } })).status).toBe(401);
  expect((await svc.call('GET', '/webhooks/endpoints', { headers })).status).toBe(200);
  svc.clock.advance(24 * 3_600_000);
  expect((await svc.call('GET', '/webhooks/endpoints', { headers })).status).toBe(401);
});

test('a console session ends after 30 idle minutes', async () => {
  const { headers, ...partner } = await openPortal();
  svc.clock.advance(30 * minuteMs - 1);
  expect(await read(headers)).toBe(200);
  svc.clock.advance(30 * minuteMs - 1);
  const { headers: later } = await openPortal({ owner: Promise.resolve(partner) });
  expect(await read(headers)).toBe(200);
  svc.clock.advance(30 * minuteMs);
  expect(await svc.call('GET', '/webhooks/endpoints', { headers })).toMatchObject({
    status: 401,
    error: { code: 'invalid_credentials', message: expect.stringContaining('has ended') },
  });
  expect((await svc.call('GET', '/portal/session', { headers })).data).toBeNull();
  expect(await read(later)).toBe(401);
  const { headers: newest } = await openPortal({ owner: Promise.resolve(partner) });
  const { data } = await svc.call('GET', '/portal/sessions', { headers: newest });
  expect(data.items).toHaveLength(1);
});

test('a console session in use stays open until its 24 hours are over', async () => {
  const { headers } = await openPortal();
  for (let use = 1; use <= 49; use += 1) {
    svc.clock.advance(29 * minuteMs);
    expect(await read(headers)).toBe(200);
  }
  svc.clock.advance(19 * minuteMs);
  expect(await read(headers)).toBe(401);
});

test('a page that only refreshes itself does not keep its session open', async () => {
  const { headers } = await openPortal();
  const background = { ...headers, 'svc-background': '1' };
  svc.clock.advance(29 * minuteMs);
  expect(await read(background)).toBe(200);
  svc.clock.advance(minuteMs);
  expect(await read(background)).toBe(401);
  expect(await read(headers)).toBe(401);
});

test('the idle timeout of a console session is written at most once a minute', async () => {
  const { headers, opened } = await openPortal();
  const version = async () => {
    const row = await oneRowOf<{ version: string }>(
      svc.db,
      sql`select xmin::text as version from portal_session where id = ${opened.data.id}`,
    );
    return row.version;
  };
  const first = await version();
  svc.clock.advance(minuteMs - 1);
  expect(await read(headers)).toBe(200);
  expect(await version()).toBe(first);
  svc.clock.advance(1);
  expect(await read(headers)).toBe(200);
  expect(await version()).not.toBe(first);
});

test('a session that an older service opened gets its idle timeout with its first use', async () => {
  const { headers, opened } = await openPortal();
  await svc.db.run(sql`update portal_session set idle_until = null where id = ${opened.data.id}`);
  svc.clock.advance(60 * minuteMs);
  expect(await read({ ...headers, 'svc-background': '1' })).toBe(200);
  svc.clock.advance(30 * minuteMs);
  expect(await read(headers)).toBe(401);
});

test('writes require our own origin, so no other site can use the cookie', async () => {
  const { headers } = await openPortal();
  for (const origin of ['https://evil.example', 'null', undefined]) {
    const { origin: _ours, ...rest } = headers;
    const forged = origin === undefined ? rest : { ...rest, origin };
    expect(
      await svc.call('POST', '/webhooks/endpoints', { body: url, headers: forged }),
    ).toMatchObject({ status: 403, error: { code: 'origin_not_allowed' } });
  }
  expect((await svc.call('POST', '/webhooks/endpoints', { body: url, headers })).status).toBe(200);
});

test('a read-only session reads everything except secrets and changes nothing', async () => {
  const { headers, key } = await openPortal({ readOnly: true });
  const made = await svc.call('POST', '/webhooks/endpoints', { key, body: url });
  const at = `/webhooks/endpoints/${made.data.id}`;
  expect((await svc.call('GET', at, { headers })).data).toEqual(made.data);
  const refused = { status: 403, error: { code: 'read_only_session' } };
  expect(await svc.call('GET', `${at}/secret`, { headers })).toMatchObject(refused);
  expect(await svc.call('PATCH', at, { headers, body: {} })).toMatchObject(refused);
  expect(await svc.call('DELETE', at, { headers })).toMatchObject(refused);
  expect(
    await svc.call('POST', `${at}/test`, { headers, body: { event_type: 'plan.created' } }),
  ).toMatchObject(refused);
  expect((await svc.call('DELETE', '/portal/session', { headers })).status).toBe(200);
  expect((await svc.call('GET', at, { headers })).status).toBe(401);
});

test('without a session the answer is null instead of an error that the browser would log', async () => {
  for (const cookie of [undefined, `svc_portal=svc_ps_${'0'.repeat(43)}`]) {
    const headers = cookie === undefined ? {} : { cookie };
    const answer = await svc.call('GET', '/portal/session', { headers });
    expect(answer).toMatchObject({ status: 200, error: null, data: null });
  }
});

test('the partner can revoke all sessions and unused links', async () => {
  const { headers, key } = await openPortal();
  const link = await svc.call('GET', '/partner/webhook_portal_url', { key });
  const revoked = await svc.call('DELETE', '/partner/webhook_portal_sessions', { key });
  expect(revoked.data).toEqual({ revoked: 1, api_keys: [] });
  expect((await svc.call('GET', '/portal/session', { headers })).data).toBeNull();
  expect((await svc.call('GET', '/webhooks/endpoints', { headers })).status).toBe(401);
  const secret = link.data.url.split('#')[1];
  expect((await svc.call('POST', '/portal/session', { body: { secret } })).status).toBe(401);
});

test('a portal user sees the open sessions and can end one or all', async () => {
  const { headers: mine, opened, ...partner } = await openPortal({ person: 'Ada Lane' });
  const { headers: theirs } = await openPortal({ readOnly: true, owner: Promise.resolve(partner) });
  const { headers: foreign, opened: foreignSession } = await openPortal();
  const sessions = await svc.call('GET', '/portal/sessions', { headers: mine });
  expect(sessions.data.items).toMatchObject([
    { person: null, read_only: true },
    { id: opened.data.id, person: 'Ada Lane', read_only: false },
  ]);
  const [other] = sessions.data.items;
  const end = (id: string, headers: Record<string, string>) =>
    svc.call('DELETE', `/portal/sessions/${id}`, { headers });
  expect((await end(opened.data.id, theirs)).status).toBe(403);
  expect((await svc.call('DELETE', '/portal/sessions', { headers: theirs })).status).toBe(403);
  expect((await end(foreignSession.data.id, mine)).status).toBe(404);
  expect((await end(other.id, mine)).status).toBe(200);
  expect((await end(other.id, mine)).status).toBe(404);
  expect((await svc.call('GET', '/webhooks/endpoints', { headers: theirs })).status).toBe(401);
  const all = await svc.call('DELETE', '/portal/sessions', { headers: mine });
  expect(all).toMatchObject({ status: 200, data: { revoked: 1 } });
  expect(all.headers.get('set-cookie')).toMatch(/^svc_portal=;/);
  expect((await svc.call('GET', '/webhooks/endpoints', { headers: mine })).status).toBe(401);
  expect((await svc.call('GET', '/webhooks/endpoints', { headers: foreign })).status).toBe(200);
});

test('saved test bodies belong to the partner, are replaced by name, limited and removed', async () => {
  const { headers, ...partner } = await openPortal();
  const { headers: reader } = await openPortal({ readOnly: true, owner: Promise.resolve(partner) });
  const { headers: foreign } = await openPortal();
  const path = '/portal/test_presets';
  const save = (name: string, body = '{"a": 1', as = headers) =>
    svc.call('POST', path, { headers: as, body: { name, event_type: 'plan.created', body } });
  const { data: first } = await save('Late');
  expect((await save('Late', '{}')).data).toMatchObject({ id: first.id, body: '{}' });
  expect((await svc.call('GET', path, { headers: reader })).data.items).toMatchObject([
    { id: first.id, name: 'Late', event_type: 'plan.created', body: '{}' },
  ]);
  expect((await save('Mine', '{}', reader)).error?.code).toBe('read_only_session');
  expect((await save('Large', 'x'.repeat(65_537))).status).toBe(422);
  // Short enough in characters but too long in bytes: each character takes three.
  expect((await save('Wide', '€'.repeat(30_000))).status).toBe(422);
  await svc.call('DELETE', `${path}/${first.id}`, { headers: foreign });
  expect((await svc.call('GET', path, { headers: foreign })).data.items).toEqual([]);
  for (let index = 0; index < 48; index += 1) await save(`P ${index}`);
  const last = await Promise.all([save('One'), save('Two')]);
  expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 422]));
  expect((await save('Late', '{"again": 1}')).status).toBe(200);
  await svc.call('DELETE', `${path}/${first.id}`, { headers });
  expect((await svc.call('GET', path, { headers })).data.items).toHaveLength(49);
});

test('the cookie gives access to webhooks only, and an API key takes precedence', async () => {
  const { headers, key } = await openPortal();
  expect(await svc.call('GET', '/settlements', { headers })).toMatchObject({
    status: 403,
    error: { code: 'admin_scope_required' },
  });
  for (const [method, path] of [
    ['PATCH', '/settlements/any'],
    ['POST', '/partner/doctor'],
    ['GET', '/partner/go_live'],
  ] as const) {
    const refused = await svc.call(method, path, { headers });
    expect(refused.error?.code).toBe('admin_scope_required');
  }
  // Only a backend reports a return.
  expect((await svc.call('POST', '/settlements/any/return', { headers })).status).toBe(401);
  expect(await svc.call('GET', '/webhooks/endpoints', { key, headers })).toMatchObject({
    status: 403,
    error: { code: 'browser_call' },
  });
});

test('on https the cookie is Secure and bound to the host', async () => {
  const https = await startRunning({ publicOrigin: 'https://svc.example' });
  try {
    const { key } = await https.newPartner();
    const link = await https.call('GET', '/partner/webhook_portal_url', { key });
    expect(link.data.url).toMatch(/^https:\/\/svc\.example\/portal#svc_pl_/);
    const secret = link.data.url.split('#')[1];
    const opened = await https.call('POST', '/portal/session', { body: { secret } });
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-svc_portal=.*; HttpOnly; Secure; SameSite=Strict$/);
    const headers = { cookie: cookie.split(';', 1)[0] ?? '' };
    expect((await https.call('GET', '/portal/session', { headers })).data).not.toBeNull();
  } finally {
    await https.close();
  }
});

test('revoking an API key ends the links and sessions that it created, and no others', async () => {
  const partner = await svc.newPartner();
  const made = await svc.administer({ command: 'key create', pms: partner.pms });
  const second = (made as { result: { api_key: string } }).result.api_key;
  const ended = await openPortal({ owner: Promise.resolve(partner) });
  const kept = await openPortal({ owner: Promise.resolve({ ...partner, key: second }) });
  const link = await svc.call('GET', '/partner/webhook_portal_url', { key: partner.key });
  const revoked = await svc.administer({
    command: 'key revoke',
    key_id: partner.keyId,
    even_last: true,
  });
  expect(revoked).toMatchObject({ ok: true, result: { revoked: true, sessions_ended: 1 } });
  expect([await read(ended.headers), await read(kept.headers)]).toEqual([401, 200]);
  const secret = link.data.url.split('#')[1];
  expect(await svc.call('POST', '/portal/session', { body: { secret } })).toMatchObject({
    status: 401,
    error: {
      code: 'token_invalid',
      message: expect.stringContaining('The API key that created this link was revoked.'),
    },
  });
  const again = await svc.administer({
    command: 'key revoke',
    key_id: partner.keyId,
    even_last: true,
  });
  expect(again).toMatchObject({ ok: true, result: { revoked: false, sessions_ended: 0 } });
});

test('sessions whose key is unknown, from before 0.3.0, end with any key of the partner', async () => {
  const { headers, id, keyId } = await openPortal();
  await svc.db.run(sql`update portal_session set key_id = null where partner_id = ${id}`);
  const other = await openPortal();
  await svc.db.run(sql`update portal_session set key_id = null where partner_id = ${other.id}`);
  await svc.administer({ command: 'key revoke', key_id: keyId, even_last: true });
  expect([await read(headers), await read(other.headers)]).toEqual([401, 200]);
});

// The embedded database has one session, so nothing runs concurrently there.
test.runIf(svc.kind === 'postgres')(
  'a link that is opened while its key is revoked leaves no open session',
  async () => {
    for (let round = 0; round < 10; round += 1) {
      const partner = await svc.newPartner();
      const link = await svc.call('GET', '/partner/webhook_portal_url', { key: partner.key });
      const body = { secret: String(link.data.url).split('#')[1] };
      const [opened] = await Promise.all([
        svc.call('POST', '/portal/session', { body }),
        svc.administer({ command: 'key revoke', key_id: partner.keyId, even_last: true }),
      ]);
      const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
      expect(await read({ cookie, origin: svc.origin })).toBe(401);
    }
  },
);
