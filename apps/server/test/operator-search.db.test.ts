import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { indexTenants } from '../src/domain/tenants/index-tenants.ts';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// One field of the operator's console finds people, whose data are encrypted, and everything with an id.

const svc = await useService();
const partner = await svc.newPartner();
const other = await svc.newPartner();
const admin = await signInOperator(svc, { role: 'admin' });
const support = await signInOperator(svc, { role: 'support' });
const limited = await signInOperator(svc, { role: 'admin', partners: [partner.pms] });

const grace = {
  ...ada,
  first_name: 'Grâcelyn',
  last_name: 'Hopperton',
  email: 'gracelyn@navy.example',
  phone_number: '+12025550147',
};
const report = (externalId: string, body: object = grace, { key } = partner) =>
  svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });

const search = async (query: string, person = admin) => {
  const { status, data, error } = await person.call('POST', '/search', { body: { query } });
  expect([status, error]).toEqual([200, null]);
  return data;
};
const idsOf = async (query: string, person = admin) =>
  (await search(query, person)).items.map((it: { external_id: string }) => it.external_id);

await report('t-grace');

test.each([
  'gracelyn',
  'HOPPERTON grâcelyn',
  ' gracelyn@navy.example',
  '+1 202-555-0147',
  '2025550147',
  't-grace',
  'T-GRACE',
])('%s finds a tenant', async (query) => {
  expect(await search(query)).toMatchObject({
    items: [
      { kind: 'tenant', partner: partner.pms, external_id: 't-grace', state: 'cycle_closed' },
    ],
    has_more: false,
  });
});

test.each([
  ['a% query', '%'],
  ['SQL', "' or '1'='1"],
  ['a statement', "'; drop table tenant; --"],
  ['a backslash', '\\'],
  ['emoji', '👩‍👩‍👧'],
  ['bidirectional text', '\u202eenotgnihsaW'],
  ['combining marks', 'a\u0301'.repeat(60)],
  ['a lone surrogate', '\ud800'],
  ['nothing', '   '],
  ['an id of nothing', 'pln_00000000000000000000000000'],
  ['an unknown prefix', 'xyz_00000000000000000000000000'],
])('%s finds nothing and breaks nothing', async (_, query) => {
  const { status, data } = await admin.call('POST', '/search', { body: { query } });
  if (status === 200) expect(data).toEqual({ items: [], has_more: false });
  else expect(status).toBe(422);
});

test.each([
  ['10 kB', 'a'.repeat(10_000)],
  ['NUL', 'ada\u0000lane'],
])('a query of %s is refused without repeating it', async (_, query) => {
  const { status, error } = await admin.call('POST', '/search', { body: { query } });
  expect(status).toBe(422);
  expect(JSON.stringify(error)).not.toContain(query.slice(0, 8));
});

test('ids of all that a tenant has lead to the tenant', async () => {
  const tenant = await withPlan(svc, partner, 't-ids');
  const { plan } = tenant;
  const ids = await oneRowOf<Record<string, string>>(
    svc.db,
    sql`
    select p.id as plan, y.id as payment, s.id as settlement, m.id as payment_method,
      p.application_id as application, (select id from mail limit 1) as mail,
      (select id from webhook_messages where subject = 't-ids' limit 1) as message,
      (select id from ledger_transfer limit 1) as transfer, t.id as tenant
    from plan p join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
      join installment i on i.partner_id = p.partner_id and i.plan_id = p.id
      join payment y on y.partner_id = p.partner_id and y.installment_id = i.id
      join settlement s on s.partner_id = p.partner_id and s.plan_id = p.id
      join payment_method m on m.partner_id = p.partner_id and m.id = p.payment_method_id
    where p.id = ${plan.id} limit 1`,
  );
  for (const [kind, id] of Object.entries(ids)) {
    const { items } = await search(` ${id.toUpperCase()} `);
    const owner = kind === 'transfer' ? null : 't-ids';
    expect(items).toMatchObject([{ kind, id, partner: partner.pms, external_id: owner }]);
  }
  const { last4 } = (await tenant.state()).data.plan.payment_method ?? { last4: '0000' };
  expect(await idsOf(last4)).toContain('t-ids');
  const request = svc.lines.map((line) => /"request_id":"(req_[0-9a-z]{26})"/.exec(line)?.[1]);
  expect(request.filter(Boolean).length).toBeGreaterThan(0);
});

test('an operator who is limited to partners finds nothing of others', async () => {
  await report('t-of-other', { ...grace, last_name: 'Elsewhere' }, other);
  expect(await idsOf('elsewhere')).toEqual(['t-of-other']);
  expect(await idsOf('elsewhere', limited)).toEqual([]);
  expect(await idsOf('t-of-other', limited)).toEqual([]);
  const { id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`select id from tenant where external_id = 't-of-other'`,
  );
  expect(await idsOf(id)).toEqual(['t-of-other']);
  expect(await idsOf(id, limited)).toEqual([]);
  expect(await idsOf(other.id, limited)).toEqual([]);
  expect(await idsOf('hopperton', limited)).toEqual(['t-grace']);
});

test('a change of the name is found at once, and an erased tenant is not', async () => {
  await report('t-change', { ...grace, last_name: 'Beforehand' });
  await report('t-change', { ...grace, last_name: 'Afterwards' });
  expect(await idsOf('afterwards')).toEqual(['t-change']);
  expect(await idsOf('beforehand')).toEqual([]);
  const { pms } = partner;
  await svc.administer({ command: 'tenant erase', pms, external_id: 't-change' });
  expect(await idsOf('afterwards')).toEqual([]);
  expect(await idsOf('t-change')).toEqual([]);
});

test('more people than are shown are said to be more', async () => {
  for (let index = 0; index < 22; index += 1) {
    await report(`t-many-${index}`, { ...grace, last_name: 'Multitude' });
  }
  const { items, has_more } = await search('multitude');
  expect([items.length, has_more]).toEqual([20, true]);
});

test('tenants of earlier versions are found once they are indexed', async () => {
  await report('t-old', { ...grace, last_name: 'Earlier' });
  await svc.db.run(sql`update tenant set search_hashes = null where external_id = 't-old'`);
  expect(await idsOf('earlier')).toEqual([]);
  expect(await indexTenants(svc.db, svc.service.vault)).toBe(1);
  expect(await idsOf('earlier')).toEqual(['t-old']);
  expect(await indexTenants(svc.db, svc.service.vault)).toBe(0);
});

test('a name is masked without the permission, and in clear for 15 minutes after a reason', async () => {
  const nameFor = async (person: typeof admin) => (await search('hopperton', person)).items[0].name;
  expect(await nameFor(admin)).toBe('Grâcelyn Hopperton');
  expect(await nameFor(support)).toBe('G••• H•••');
  const asked = await support.call('POST', `/tenants/${partner.pms}/t-grace/unmask`, {
    body: { reason: 'the tenant is on the phone' },
  });
  expect(asked.data.expires_at).toBe('2026-01-20T15:15:00.000Z');
  expect(await nameFor(support)).toBe('Grâcelyn Hopperton');
  const colleague = await signInOperator(svc, { role: 'support' });
  expect(await nameFor(colleague)).toBe('G••• H•••');
  const { details } = await oneRowOf<{ details: object }>(
    svc.db,
    sql`
    select details from audit_entry
    where action = 'tenant.unmasked' and credential_id = ${support.operatorId}`,
  );
  expect(details).toMatchObject({ reason: 'the tenant is on the phone' });
  svc.clock.advance(8 * 60_000);
  expect(await nameFor(support)).toBe('Grâcelyn Hopperton');
  svc.clock.advance(8 * 60_000);
  expect(await nameFor(support)).toBe('G••• H•••');
});

test('no log has a word that was searched for', () => {
  expect(svc.lines.join('')).not.toMatch(/hopperton|gracelyn|navy\.example|5550147|elsewhere/i);
});
