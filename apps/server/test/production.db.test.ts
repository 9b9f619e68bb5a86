import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { expect, test } from 'vitest';
import { routes } from '../src/http/routes.ts';
import { ada, startRunning, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';

const svc = await useService({
  environment: 'production',
  publicOrigin: 'https://svc.example',
  allowPrivateWebhooks: false,
});

test('simulation does not exist, and is not documented', async () => {
  const { key } = await svc.newPartner();
  for (const row of routes.filter(({ sandboxOnly, who }) => sandboxOnly && who !== 'portal')) {
    const path = row.path.replace('{external_id}', 't');
    expect(await svc.call(row.method, path, { key })).toMatchObject({
      status: 403,
      error: { code: 'simulation_unavailable' },
    });
    expect((await svc.call(row.method, path)).status).toBe(401);
  }
  const document = (await (await fetch(`${svc.url}/v1/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => path.includes('simulation'))).toEqual([]);
});

test('a sandbox key is refused with its own error code', async () => {
  const sandbox = await startRunning();
  const { key } = await sandbox.newPartner();
  await sandbox.close();
  expect(await svc.call('GET', '/settlements', { key })).toMatchObject({
    status: 401,
    error: { code: 'wrong_environment' },
  });
});

test('webhooks go to public https addresses only', async () => {
  const { key } = await svc.newPartner();
  for (const url of [
    'http://portal.example/hook',
    'https://127.0.0.1/hook',
    'https://localhost/hook',
    'https://user:password@portal.example/hook',
  ]) {
    expect(await svc.call('POST', '/webhooks/endpoints', { key, body: { url } })).toMatchObject({
      status: 422,
      error: { code: 'validation_failed', param: 'url' },
    });
  }
});

test('a widget cannot find out which portals there are', async () => {
  const { pms } = await svc.newPartner();
  const ask = (name: string) =>
    svc.call('POST', '/widget/session', {
      body: { pms: name, external_id: 't-1', signature: '5'.repeat(64) },
    });
  const [wrong, unknown] = [await ask(pms), await ask('nobody-here')];
  expect(wrong).toMatchObject({ status: 401, error: { code: 'signature_invalid' } });
  expect({ ...unknown.error, request_id: '' }).toEqual({ ...wrong.error, request_id: '' });
});

test('without allowed origins no page may frame the experience', async () => {
  const { pms, key } = await svc.newPartner();
  const policy = async () => {
    const response = await fetch(`${svc.url}/experience/${pms}`);
    return response.headers.get('content-security-policy');
  };
  expect(await policy()).toContain("frame-ancestors 'none'");
  const body = { allowed_origins: ['https://portal.example', 'https://app.example'] };
  await svc.call('PUT', '/partner/allowed_origins', { key, body });
  expect(await policy()).toContain('frame-ancestors https://portal.example https://app.example');
});

test('a partner that has only an app allows our own page for it, and nothing else', async () => {
  const { pms, key } = await svc.newPartner();
  const signature = await signWidget({ apiKey: key, pms, externalId: 't-app' });
  const ask = async (origin: string) => {
    const body = { pms, external_id: 't-app', signature };
    return (await svc.call('POST', '/widget/session', { body, headers: { origin } })).status;
  };
  expect(await ask(svc.origin)).toBe(403);
  const body = { allowed_origins: [], app_schemes: ['com.example.app'] };
  await svc.call('PUT', '/partner/allowed_origins', { key, body });
  expect(await ask(svc.origin)).toBe(200);
  expect(await ask('https://other.example')).toBe(403);
  const page = await fetch(`${svc.url}/experience/${pms}`);
  expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${svc.origin}`);
});

test('without a payment processor tenants are blocked and nothing is stored', async () => {
  const { pms, key } = await svc.newPartner();
  const external_id = 't-no-processor';
  const origin = 'https://portal.example';
  await svc.call('PUT', '/partner/allowed_origins', { key, body: { allowed_origins: [origin] } });
  const signature = await signWidget({ apiKey: key, pms, externalId: external_id });
  const widget = async () => {
    const body = { pms, external_id, signature };
    return (await svc.call('POST', '/widget/session', { body, headers: { origin } })).data.state;
  };
  expect(await widget()).toBe('unavailable');

  const path = `/tenant/portal_info/${external_id}`;
  // The window of this month's rent is open.
  const charges = [{ id: 'C-1', type: 'rent', due_date: '2026-01-22', amount_in_cents: 152_012 }];
  const info = await svc.call('POST', path, { key, body: { ...ada, charges } });
  const blocked = { state: 'blocked', reason: 'payments_unavailable' };
  expect(info.data).toMatchObject({
    rent_cycle: { is_open: true },
    eligibility: blocked,
    warnings: [{ code: 'payments_unavailable' }],
  });
  expect(await widget()).toBe('unavailable');

  const who = { pms, apiKey: key, externalId: external_id, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  expect(tenant.exchanged.data).toMatchObject({ step: 'blocked', eligibility: blocked });
  expect(await tenant.apply()).toMatchObject({ status: 409, error: { code: 'step_not_allowed' } });
  expect((await tenant.pay()).status).toBe(409);
  expect((await tenant.quotes()).status).toBe(409);
  const { applications, methods } = await oneRowOf<{ applications: number; methods: number }>(
    svc.db,
    sql`
    select (select count(*) from application) as applications,
      (select count(*) from payment_method) as methods`,
  );
  expect({ applications, methods }).toEqual({ applications: 0, methods: 0 });
  const events = (await svc.call('GET', '/events', { key })).data.items as { type: string }[];
  // Operators see why: in the log, and in the answer to a load balancer.
  const why = 'No payment processor is set up, so no plans are offered. Set SVC_PROCESSOR.';
  expect(svc.lines.filter((line) => line.includes(why))).toHaveLength(1);
  const ready = await fetch(`${svc.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining(why)]);
  expect(events.map(({ type }) => type).filter((type) => type.startsWith('application'))).toEqual(
    [],
  );
});
