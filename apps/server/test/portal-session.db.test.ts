import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startRunning } from './harness.ts';

let svc: Running;
beforeAll(async () => {
  svc = await startRunning();
});
afterAll(() => svc.close());

const url = { url: 'http://127.0.0.1:9/hook' };

async function openPortal({ readOnly = false } = {}) {
  const partner = await svc.newPartner();
  const link = await svc.call('GET', `/partner/webhook_portal_url?read_only=${readOnly}`, {
    key: partner.key,
  });
  const [page, secret] = String(link.data.url).split('#');
  const opened = await svc.call('POST', '/portal/session', { body: { secret } });
  const cookie = opened.headers.get('set-cookie') ?? '';
  const headers = { cookie: cookie.split(';', 1)[0] ?? '', origin: svc.origin };
  return { ...partner, page, secret, opened, cookie, headers };
}

test('a link opens one session; reading it changes nothing, and it works once', async () => {
  const { page, secret, opened, cookie, headers, pms } = await openPortal();
  expect(page).toBe(`${svc.origin}/portal`);
  expect(opened.data).toEqual({
    pms,
    environment: 'sandbox',
    read_only: false,
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

test('a link ends after ten minutes, a session after a day', async () => {
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

test('writes need our own origin: no other site can use the cookie', async () => {
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

test('a read-only session looks at everything but secrets, and changes nothing', async () => {
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

test('the partner ends all sessions and unused links at once', async () => {
  const { headers, key } = await openPortal();
  const link = await svc.call('GET', '/partner/webhook_portal_url', { key });
  const revoked = await svc.call('DELETE', '/partner/webhook_portal_sessions', { key });
  expect(revoked.data).toEqual({ revoked: 1 });
  expect((await svc.call('GET', '/portal/session', { headers })).status).toBe(401);
  const secret = link.data.url.split('#')[1];
  expect((await svc.call('POST', '/portal/session', { body: { secret } })).status).toBe(401);
});

test('the cookie opens webhooks alone, and an API key wins over it', async () => {
  const { headers, key } = await openPortal();
  expect((await svc.call('GET', '/settlements', { headers })).status).toBe(401);
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
    expect((await https.call('GET', '/portal/session', { headers })).status).toBe(200);
  } finally {
    await https.close();
  }
});
