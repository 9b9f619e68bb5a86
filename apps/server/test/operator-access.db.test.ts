import { operatorRoles } from '@svc/contract/operator';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import { isAllowed } from '../src/domain/operators/roles.ts';
import { operatorRoutes as table } from '../src/http/operator/routes.ts';
import { routes } from '../src/http/routes.ts';
import { ada, callAt, useService } from './harness.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// Generated from the route tables, so a new route cannot be forgotten.

const svc = await useService();
const partner = await svc.newPartner();
const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const named = table.map((row) => [name(row), row] as const);
const forOperators = named.filter(([, { who }]) => who === 'operator');
const addressOf = (path: string) => path.replace(/\{\w+\}/g, 'nothing');

const call = (
  { method, path }: { method: string; path: string },
  options: { key?: string; headers?: Record<string, string> },
) => callAt(`${svc.url}/operator/v1${addressOf(path)}`, method, options);

describe.each(operatorRoles)('the role %s', (role) => {
  test.each(forOperators)('may call %s exactly if it has the permission', async (_, row) => {
    const person = await signInOperator(svc, { role });
    const answer = await person.call(row.method, addressOf(row.path));
    if (row.needs !== undefined && isAllowed({ role }, row.needs)) {
      expect([401, 403, 405, 500]).not.toContain(answer.status);
      return;
    }
    expect(answer).toMatchObject({ status: 403, error: { code: 'permission_required' } });
    expect(answer.error?.doc_url).toMatch(/\/docs\/operate\/console#permission_required$/);
    const refusals = await rowsOf<{ details: object }>(
      svc.db,
      sql`
      select details from audit_entry
      where action = 'operator.refused' and credential_id = ${person.operatorId}`,
    );
    expect(refusals).toEqual([{ details: { call: name(row), role } }]);
  });
});

test.each(forOperators)('no one else may call %s', async (_, row) => {
  const { origin } = svc;
  const link = await svc.call('GET', '/partner/webhook_portal_url?scope=admin', {
    key: partner.key,
  });
  const opened = await svc.call('POST', '/portal/session', {
    body: { secret: link.data.url.split('#')[1] },
  });
  const portal = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const secret = portal.split('=')[1] ?? '';
  const { data } = await svc.call('POST', '/tenant/portal_info/t-1', {
    key: partner.key,
    body: ada,
  });
  const callers = {
    none: {},
    key: { key: partner.key },
    portal: { headers: { cookie: portal } },
    'portal under the name of our cookie': { headers: { cookie: `svc_operator=${secret}` } },
    'the key as our cookie': { headers: { cookie: `svc_operator=${partner.key}` } },
    tenant: { key: data.token as string },
    'a made-up cookie': { headers: { cookie: `svc_operator=svc_os_${'0'.repeat(43)}` } },
  };
  for (const [caller, options] of Object.entries(callers)) {
    const headers = { origin, ...('headers' in options ? options.headers : {}) };
    const answer = await call(row, { ...options, headers });
    expect([caller, answer.status]).toEqual([caller, 401]);
  }
});

test.each(forOperators.filter(([, { method }]) => method !== 'GET'))(
  '%s needs the origin of the console, so that no other site can use the cookie',
  async (_, row) => {
    const { headers } = await signInOperator(svc, { role: 'admin' });
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const { origin: _ours, ...rest } = headers;
      const forged = origin === undefined ? rest : { ...rest, origin };
      expect(await call(row, { headers: forged })).toMatchObject({
        status: 403,
        error: { code: 'origin_not_allowed' },
      });
    }
  },
);

test('an operator reaches nothing of the API for partners and tenants', async () => {
  const { headers } = await signInOperator(svc, { role: 'admin' });
  const secret = headers.cookie.split('=')[1] ?? '';
  const attempts = [
    { headers },
    { headers: { origin: svc.origin, cookie: `svc_portal=${secret}` } },
    { key: secret },
  ];
  for (const row of routes.filter(({ who }) => !who.endsWith('anyone'))) {
    for (const attempt of attempts) {
      const answer = await svc.call(row.method, addressOf(row.path), attempt);
      expect([name(row), answer.status]).toEqual([name(row), 401]);
    }
  }
});

test('the OpenAPI document lists every route, with the permission that it needs', async () => {
  const { headers } = await signInOperator(svc, { role: 'auditor' });
  const answer = await fetch(`${svc.url}/operator/v1/openapi.json`, { headers });
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, object>> };
  for (const { method, path, needs } of table) {
    if (path === '/openapi.json') continue;
    const operation = paths[path]?.[method.toLowerCase()];
    expect(operation).toMatchObject({ description: expect.stringContaining(needs ?? '') });
  }
});

test('each route for operators names a permission, and each that changes something its audit entry', () => {
  expect(routes.filter(({ who }) => who === 'operator')).toEqual([]);
  for (const row of table) {
    if (row.who === 'operator') expect([name(row), row.needs]).not.toContain(undefined);
    else expect(row.who).toBe('anyone');
    if (row.kind !== 'query') expect([name(row), row.audit]).not.toContain(undefined);
  }
});
