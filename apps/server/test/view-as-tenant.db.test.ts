import { raw, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { routes } from '../src/http/routes.ts';
import { callAt, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { pms } = partner;
const admin = await signInOperator(svc, { role: 'admin' });
const tenant = await withPlan(svc, partner, 't-viewed');

const open = (by = admin, externalId = 't-viewed') =>
  by.call('POST', `/tenants/${pms}/${externalId}/view`);

async function viewing(by = admin) {
  const { data } = await open(by);
  const secret = new URL(data.url).hash.slice('#link='.length);
  const headers = { authorization: `Bearer ${secret}` };
  return {
    expiresAt: data.expires_at as string,
    call: (method: string, path: string) => callAt(`${svc.url}/v1${path}`, method, { headers }),
  };
}

/** Everything that a view must leave alone. */
async function stored() {
  const tables = ['webhook_messages', 'mail', 'plan_history', 'tenant_document', 'payment'];
  const counts = tables.map((it) => `(select count(*)::int from ${it}) as "${it}"`).join(', ');
  return oneRowOf(svc.db, raw(`select ${counts}`));
}

test('an operator sees what the tenant sees', async () => {
  const view = await viewing();
  const seen = await view.call('GET', '/experience/state');
  const own = await tenant.state();
  expect(seen.data).toEqual({ ...own.data, viewed_by_operator: true });
  expect((await view.call('GET', `/experience/plan/${tenant.plan.id}`)).status).toBe(200);
});

// Generated from the route table, so a new route cannot be forgotten.
const ofTenants = routes.filter(({ who }) => who === 'tenant');
const changing = ofTenants.filter(({ method, kind }) => method !== 'GET' || kind !== 'query');

test('the route table has routes that change something', () => {
  expect(changing.length).toBeGreaterThan(14);
  expect(ofTenants.length).toBeGreaterThan(changing.length);
});

test.each(changing.map(({ method, path }) => [method, path] as const))(
  '%s %s is refused, and leaves nothing behind',
  async (method, path) => {
    const view = await viewing();
    const before = await stored();
    const address = path.replace('{kind}', 'agreement').replace('{id}', tenant.plan.id);
    expect(await view.call(method, address)).toMatchObject({
      status: 403,
      error: { code: 'read_only_session' },
    });
    expect(await stored()).toEqual(before);
  },
);

test.each(
  ofTenants
    .filter((row) => !changing.includes(row))
    .map(({ method, path }) => [method, path] as const),
)('%s %s reads, and changes nothing', async (method, path) => {
  const view = await viewing();
  const before = await stored();
  const { status } = await view.call(method, path.replace('{id}', tenant.plan.id));
  expect([401, 403, 405, 500]).not.toContain(status);
  expect(await stored()).toEqual(before);
});

test('a view ends after 10 minutes, and with the session of its operator', async () => {
  const view = await viewing();
  expect(Date.parse(view.expiresAt) - svc.clock.now().getTime()).toBe(600_000);
  const ben = await signInOperator(svc, { role: 'auditor' });
  const his = await viewing(ben);
  expect((await his.call('GET', '/experience/state')).status).toBe(200);
  await ben.call('POST', '/session/close');
  expect(await his.call('GET', '/experience/state')).toMatchObject({
    error: { code: 'token_expired' },
  });
  svc.clock.advance(600_000);
  expect(await view.call('GET', '/experience/state')).toMatchObject({
    error: { code: 'token_expired' },
  });
});

test('the tenant stays signed in, and the audit log says who looked', async () => {
  const olga = await signInOperator(svc, { role: 'finance' });
  const present = await withPlan(svc, partner, 't-present');
  await open(olga, 't-present');
  expect((await present.state()).status).toBe(200);
  const rows = await rowsOf<{ details: object }>(
    svc.db,
    sql`
    select details from audit_entry
    where action = 'tenant.viewed' and credential_id = ${olga.operatorId}`,
  );
  expect(rows).toEqual([{ details: { external_id: 't-present' } }]);
});

test('a role that sees masked data shows them first, with a reason', async () => {
  const support = await signInOperator(svc, { role: 'support' });
  expect(await open(support)).toMatchObject({
    status: 403,
    error: { code: 'permission_required' },
  });
  const body = { reason: 'ticket 4711' };
  await support.call('POST', `/tenants/${pms}/t-viewed/unmask`, { body });
  expect((await open(support)).status).toBe(200);
});

test('a person limited to another partner, or an unknown tenant, finds nothing', async () => {
  const other = await svc.newPartner();
  const limited = await signInOperator(svc, { role: 'admin', partners: [other.pms] });
  expect((await open(limited)).status).toBe(404);
  expect((await open(admin, 't-none')).status).toBe(404);
});
