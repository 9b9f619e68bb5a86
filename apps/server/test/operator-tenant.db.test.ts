import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// One tenant on one page of the operator's console, and everything that happened in one list.

const svc = await useService();
const partner = await svc.newPartner();
const other = await svc.newPartner();
const { key, pms } = partner;
const admin = await signInOperator(svc, { role: 'admin' });
const support = await signInOperator(svc, { role: 'support' });
const limited = await signInOperator(svc, { role: 'auditor', partners: [other.pms] });

const person = {
  ...ada,
  first_name: 'Gracelyn',
  last_name: 'Hopperton',
  email: 'gracelyn@navy.example',
  phone_number: '+12025550147',
};

const pageOf = async (externalId: string, who = admin) =>
  (await who.call('GET', `/tenants/${pms}/${externalId}`)).data;

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function timelineOf(externalId: string, query = '', who = admin): Promise<Entry[]> {
  const items: Entry[] = [];
  let cursor: string | null = '';
  do {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await who.call('GET', `/tenants/${pms}/${externalId}/timeline?${query}${at}`);
    expect([page.status, page.error]).toEqual([200, null]);
    items.push(...page.data.items);
    cursor = page.data.next_cursor;
  } while (cursor !== null);
  return items;
}

const tenant = await withPlan(svc, partner, 't-page');
await svc.call('POST', '/tenant/portal_info/t-page', { key, body: person });

test('the page says who, where, what is owed, and what happens next', async () => {
  expect(await pageOf('t-page')).toMatchObject({
    partner: { pms },
    external_id: 't-page',
    person: { first_name: 'Gracelyn', email: 'gracelyn@navy.example', is_masked: false },
    home: { property_id: 'P-9' },
    time_zone: 'America/Chicago',
    is_simulated: true,
    eligibility: { state: 'has_plan' },
    position: expect.stringMatching(/^Payment 2 of 4, \$380\.03, has a reminder on Feb \d+\.$/),
    next: { kind: 'remind', number: 2, amount_in_cents: 38_003 },
    plan: { id: tenant.plan.id, state: 'active', autopay: true },
    plans: [{ id: tenant.plan.id, settlement: { status: 'unsettled' } }],
    methods: [{ type: 'bank_account', last4: '0000' }],
    applications: [{ state: 'approved', flags: [], reasons: [] }],
    consents: { texts: 'off' },
    mail: { bounces_since: null, given_up: 0 },
  });
});

test('personal data are masked without the permission, until a reason is given', async () => {
  const masked = await pageOf('t-page', support);
  expect(masked.person).toEqual({
    first_name: 'G•••',
    last_name: 'H•••',
    email: 'g•••@navy.example',
    phone_number: '••• 0147',
    is_masked: true,
  });
  expect(JSON.stringify(masked)).not.toMatch(/Gracelyn|Hopperton|gracelyn|5550147/);
  const unmask = (body: object, path = `${pms}/t-page`) =>
    support.call('POST', `/tenants/${path}/unmask`, { body });
  expect((await unmask({ reason: '  x ' })).status).toBe(422);
  expect((await unmask({ reason: 'a call' }, `${pms}/t-none`)).status).toBe(404);
  expect((await unmask({ reason: 'the tenant calls' })).status).toBe(200);
  expect((await pageOf('t-page', support)).person).toMatchObject({
    email: 'gracelyn@navy.example',
    is_masked: false,
  });
});

test('a pause says who began it, when and why', async () => {
  const scope = { pms, property: 'P-9' };
  const paused = await svc.administer({ command: 'collections pause', ...scope });
  expect(paused.ok).toBe(true);
  const page = await pageOf('t-page');
  expect(page.pauses).toEqual([
    {
      scope: 'property',
      subject: 'P-9',
      started_at: svc.clock.now().toISOString(),
      started_by: 'ops-ada',
      reason: 'a test',
    },
  ]);
  expect(page.waits_for).toEqual([]);
  await svc.administer({ command: 'collections resume', ...scope });
  expect((await pageOf('t-page')).pauses).toEqual([]);
});

test('the timeline has pauses of the tenant, also those recorded as "tenant"', async () => {
  await withPlan(svc, partner, 't-paused');
  const scope = { pms, tenant: 't-paused' };
  await svc.administer({ command: 'collections pause', ...scope });
  await svc.administer({ command: 'collections resume', ...scope });
  await svc.db.run(sql`
    insert into audit_entry (id, partner_id, action, via, credential_id, request_id, details,
      occurred_at)
    select 'aud_00000000000000000000000000', partner_id, action, via, credential_id, request_id,
      '{"tenant": "t-paused", "reason": "long ago"}', occurred_at
    from audit_entry where details->>'external_id' = 't-paused' and action = 'collections.paused'`);
  const titles = async (externalId: string) =>
    (await timelineOf(externalId, 'kinds=action')).map(({ title }) => title);
  expect(await titles('t-paused')).toEqual([
    'ops-ada: collections resumed. a test',
    'ops-ada: collections paused. a test',
    'ops-ada: collections paused. long ago',
  ]);
  expect((await titles('t-page')).filter((it) => it.includes('long ago'))).toEqual([]);
});

test('an operator of another partner finds neither the page nor the timeline', async () => {
  for (const path of ['', '/timeline']) {
    const answer = await limited.call('GET', `/tenants/${pms}/t-page${path}`);
    expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } });
  }
});

test('the timeline has everything, newest first, with wall and tenant time', async () => {
  await tenant.simulate('fail_next_payment', { return_code: 'R01' });
  await tenant.simulate('advance_clock', { by: 'P14D' });
  await svc.administer({ command: 'tenant paper', pms, external_id: 't-page' });
  const items = await timelineOf('t-page');
  const kinds = new Set(items.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    'action',
    'application',
    'consent',
    'decision',
    'mail',
    'payment',
    'plan',
    'posting',
    'request',
    'settlement',
  ]);
  const order = items.map(({ id }) => id.slice(4));
  expect(order).toEqual(order.toSorted().reverse());
  expect(new Set(order).size).toBe(order.length);
  const titles = items.map(({ title }) => title);
  expect(titles).toContain(
    'Payment 2, attempt 1 from bank account ••0000: failed, R01 (insufficient funds).',
  );
  expect(titles.some((it) => it.startsWith('ops-ada: tenant notices on paper'))).toBe(true);
  expect(items.find(({ kind }) => kind === 'payment')).toMatchObject({
    tenant_time: expect.stringMatching(/^2026-02-/),
    at: expect.stringMatching(/^2026-01-20/),
  });
  expect(items.find(({ kind }) => kind === 'posting')?.details.entries).toEqual(
    expect.arrayContaining([expect.objectContaining({ account: expect.any(String) })]),
  );
  // Words of the API are for programs. Paths and events are what the portal's developers know.
  const ours = titles.filter((it) => !/^(The portal called|Webhook) /.test(it));
  expect(ours.filter((it) => it.includes('_'))).toEqual([]);
});

test('webhooks that no endpoint has subscribed to are listed if their kind is chosen', async () => {
  expect((await timelineOf('t-page')).filter(({ kind }) => kind === 'webhook')).toEqual([]);
  const chosen = await timelineOf('t-page', 'kinds=webhook');
  expect(chosen.length).toBeGreaterThan(1);
  expect(chosen[0]?.title).toMatch(/^Webhook .* had no endpoint\.$/);
  expect(chosen[0]?.details).toHaveProperty('deliveries');
});

test('pages of one entry are the same list, and kinds can be chosen', async () => {
  const all = await timelineOf('t-page', 'limit=100');
  expect(await timelineOf('t-page', 'limit=7')).toEqual(all);
  const chosen = await timelineOf('t-page', 'kinds=payment,mail&limit=1');
  expect(chosen).toEqual(all.filter(({ kind }) => kind === 'payment' || kind === 'mail'));
});

test.each([
  'kinds=nothing',
  'kinds=',
  'limit=0',
  'limit=101',
  'cursor=%00',
  "cursor='",
  `cursor=${'z'.repeat(27)}`,
  'unknown=1',
])('the timeline refuses %s', async (query) => {
  const answer = await admin.call('GET', `/tenants/${pms}/t-page/timeline?${query}`);
  expect(answer.status).toBe(422);
});

test('facts of a decision are shown to those who see personal data', async () => {
  const colleague = await signInOperator(svc, { role: 'support' });
  const [shown] = await timelineOf('t-page', 'kinds=decision');
  const [masked] = await timelineOf('t-page', 'kinds=decision', colleague);
  expect(shown?.details.facts).toHaveProperty('monthly_income_in_cents');
  expect(masked?.details.facts).toBeNull();
});

test('an erased tenant has a page without a person, and a timeline without what was deleted', async () => {
  await svc.call('POST', '/tenant/portal_info/t-gone', { key, body: person });
  await svc.administer({ command: 'tenant erase', pms, external_id: 't-gone' });
  expect((await admin.call('GET', `/tenants/${pms}/t-gone`)).status).toBe(404);
  const { id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`select external_id as id from tenant where erased_at is not null`,
  );
  expect(await pageOf(id)).toMatchObject({
    person: null,
    home: null,
    plan: null,
    erased_at: expect.any(String),
    position: 'There is no open plan, so nothing will be charged.',
  });
  const kinds = (await timelineOf(id)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['action']));
});

test('a page of a tenant with 10,000 mails and calls reads as many rows as it shows', async () => {
  await svc.call('POST', '/tenant/portal_info/t-busy', { key, body: person });
  await svc.db.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, created_at)
    select 'mal_0' || to_char(n, 'FM000000000') || '0000000000000000', t.partner_id, t.id,
      'plan.completed', '{}', 'rent', false, '2026-01-01T00:00:00Z'
    from tenant t, generate_series(1, 10000) n where t.external_id = 't-busy'`);
  const page = await admin.call('GET', `/tenants/${pms}/t-busy/timeline?kinds=mail&limit=50`);
  expect(page.data.items).toHaveLength(50);
  expect(page.data.items[0].id).toBe('mal_00000100000000000000000000');
  const { data } = await admin.call(
    'GET',
    `/tenants/${pms}/t-busy/timeline?kinds=mail&limit=50&cursor=${page.data.next_cursor}`,
  );
  expect(data.items[0].id).toBe('mal_00000099500000000000000000');
});
