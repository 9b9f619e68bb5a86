import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, onTestFinished, test } from 'vitest';
import { tick } from '../src/jobs/tick.ts';
import { ada, startRunning, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// The work that waits for the people who run Svc.

const svc = await useService();
const partner = await svc.newPartner();
const other = await svc.newPartner();
const { key, pms } = partner;
const admin = await signInOperator(svc, { role: 'admin' });
const colleague = await signInOperator(svc, { role: 'support' });
const limited = await signInOperator(svc, { role: 'admin', partners: [other.pms] });
const auditor = await signInOperator(svc, { role: 'auditor' });
await svc.db.run(sql`update operator set name = 'Olga Reyes' where id = ${admin.operatorId}`);

interface Item {
  readonly id: string;
  readonly owner: string | null;
  readonly problem: string;
}

async function itemsOf(name: string, who = admin, query = ''): Promise<Item[]> {
  const { status, data, error } = await who.call('GET', `/queues/${name}?${query}`);
  expect([status, error]).toEqual([200, null]);
  return data.items;
}

async function countOf(name: string, who = admin) {
  const { data } = await who.call('GET', '/queues');
  return data.items.find((it: { name: string }) => it.name === name);
}

const act = (verb: string, name: string, body: object, who = admin) =>
  who.call('POST', `/queues/${name}/${verb}`, { body });

const late = await withPlan(svc, partner, 't-late');
await late.simulate('fail_next_payment', { return_code: 'R01' });
await late.simulate('fail_next_payment', { return_code: 'R02' });
await late.simulate('advance_clock', { by: 'P16D' });
const patch = (body: object) =>
  svc.call('PATCH', `/settlements/${late.plan.settlement_id}`, { key, body });
await patch({ status: 'unverified' });
await patch({ status: 'failed', failure_reason: 'account closed' });

test('each queue is counted, with the age of what waits longest', async () => {
  const { data } = await admin.call('GET', '/queues');
  expect(data.items.map((it: { name: string }) => it.name)).toEqual([
    'approvals',
    'reviews',
    'unknown_payments',
    'refused_refunds',
    'books',
    'settlements',
    'payouts',
    'endpoints',
    'mails',
    'notices',
    'past_due',
    'failed_payments',
  ]);
  expect(await countOf('settlements')).toMatchObject({
    title: 'Settlements to reopen',
    count: 1,
    snoozed: 0,
    oldest_at: expect.any(String),
  });
});

test('a failed debit says what is wrong and which command reopens it', async () => {
  expect(await itemsOf('settlements')).toMatchObject([
    {
      queue: 'settlements',
      id: late.plan.settlement_id,
      partner: pms,
      external_id: 't-late',
      problem: `The debit by ${pms} failed: account closed. We still owe the amount.`,
      commands: [{ name: 'settlement-reopen', input: { settlement_id: late.plan.settlement_id } }],
      amount_in_cents: 152_012,
      owner: null,
      snoozed_until: null,
    },
  ]);
});

test('a failed payment says why, and what the tenant has to do', async () => {
  const [item] = await itemsOf('failed_payments');
  expect(item).toMatchObject({
    external_id: 't-late',
    subject_id: late.plan.id,
    problem: expect.stringMatching(/^Payment \d is \d+ days? late\. It failed, R0[12] \(/),
    advice: expect.any(String),
  });
});

test('an application in review has a deadline and what is needed, and its owner is the reviewer', async () => {
  const info = await svc.call('POST', '/tenant/portal_info/t-review', { key, body: ada });
  const who = { pms, apiKey: key, externalId: 't-review', productVariant: 'rent' as const };
  await svc.call('POST', '/simulation/t-review/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await svc.db.run(sql`
    insert into review (application_id, partner_id, facts, due_at)
    select a.id, a.partner_id, coalesce(d.facts, '{}'), '9999-12-31T00:00:00Z'
    from application a join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
      left join decision d on d.partner_id = a.partner_id and d.application_id = a.id
    where t.external_id = 't-review'`);
  await svc.db.run(sql`
    update application set state = 'in_review', approved_amount_in_cents = null
    where tenant_id = (select id from tenant where external_id = 't-review')`);
  const [item] = await itemsOf('reviews');
  expect(item).toMatchObject({
    external_id: 't-review',
    due_on: expect.stringMatching(/^2026-/),
    needs: expect.arrayContaining([
      expect.stringContaining('a decision by'),
      expect.stringContaining('Military Lending Act'),
    ]),
    commands: [{ name: 'review-take' }, { name: 'review-decide' }, { name: 'review-release' }],
    owner: null,
  });
  const ids = [item?.id ?? ''];
  expect((await act('take', 'reviews', { ids })).status).toBe(200);
  expect((await itemsOf('reviews'))[0]?.owner).toBe('Olga Reyes');
  expect(await itemsOf('reviews', admin, 'owner=me')).toMatchObject([{ id: ids[0] }]);
  expect(await itemsOf('reviews', colleague, 'owner=me')).toEqual([]);
  expect(await act('release', 'reviews', { ids })).toMatchObject({
    status: 409,
    error: { code: 'step_not_allowed' },
  });
});

test('an item is taken by one person, and released', async () => {
  const ids = [late.plan.settlement_id as string];
  await svc.db.run(sql`update operator set name = 'Ben Ito' where id = ${colleague.operatorId}`);
  expect((await act('take', 'settlements', { ids })).data).toEqual({ changed: 1 });
  const refused = await act('take', 'settlements', { ids }, colleague);
  expect(refused.error?.message).toContain('Olga Reyes has taken');
  expect((await act('take', 'settlements', { ids, from: 'Olga Reyes' }, colleague)).status).toBe(
    200,
  );
  expect((await itemsOf('settlements'))[0]?.owner).toBe('Ben Ito');
  expect(await itemsOf('settlements', colleague, 'owner=me')).toMatchObject([{ id: ids[0] }]);
  expect(await itemsOf('settlements', admin, 'owner=me')).toEqual([]);
  expect((await act('release', 'settlements', { ids })).data).toEqual({ changed: 1 });
  expect((await itemsOf('settlements'))[0]?.owner).toBeNull();
  expect((await act('take', 'settlements', { ids }, auditor)).status).toBe(403);
});

test('a snoozed item shows again when its time has come', async () => {
  const ids = [late.plan.settlement_id as string];
  const until = '2026-01-20T15:05:00.000Z';
  const reason = 'the portal looks into it';
  expect((await act('snooze', 'settlements', { ids, until, reason })).status).toBe(200);
  expect(await itemsOf('settlements')).toEqual([]);
  expect(await itemsOf('settlements', admin, 'snoozed=true')).toMatchObject([
    { id: ids[0], snoozed_until: until },
  ]);
  expect(await countOf('settlements')).toMatchObject({ count: 0, snoozed: 1 });
  svc.clock.advance(5 * 60_000);
  expect(await itemsOf('settlements')).toMatchObject([{ id: ids[0] }]);
});

test.each([
  [{ ids: [] }],
  [{ ids: Array.from({ length: 101 }, (_, index) => `x${index}`) }],
  [{ ids: ['a'.repeat(101)] }],
  [{ ids: 'all' }],
  [{}],
])('taking %j is refused', async (body) => {
  expect((await act('take', 'settlements', body)).status).toBe(422);
});

test.each(['2025-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 'tomorrow'])(
  'snoozing until %s is refused',
  async (until) => {
    const body = { ids: ['x'], until, reason: 'a reason' };
    expect((await act('snooze', 'settlements', body)).status).toBe(422);
  },
);

test('an operator who is limited to partners sees the work of those', async () => {
  expect(await itemsOf('settlements', limited)).toEqual([]);
  expect(await itemsOf('reviews', limited)).toEqual([]);
  expect(await countOf('failed_payments', limited)).toMatchObject({ count: 0, oldest_at: null });
});

test('the pages of a queue are its items, once each', async () => {
  for (const index of [1, 2, 3, 4]) {
    const plan = await withPlan(svc, partner, `t-page-${index}`);
    await plan.simulate('fail_next_payment', { return_code: 'R02' });
    await plan.simulate('advance_clock', { by: 'P16D' });
  }
  await tick({ ...svc, log: { info: () => {}, warn: () => {}, error: () => {} } });
  const all = (await itemsOf('failed_payments')).map(({ id }) => id);
  expect(all.length).toBeGreaterThanOrEqual(4);
  const paged: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { data } = await admin.call('GET', `/queues/failed_payments?limit=1${query}`);
    paged.push(...data.items.map((it: Item) => it.id));
    cursor = data.next_cursor;
  }
  expect(paged).toEqual(all);
  for (const wrong of ['x', 'MjAyNg', "'--"]) {
    const answer = await admin.call('GET', `/queues/failed_payments?cursor=${wrong}`);
    expect(answer.status).toBe(422);
  }
});

test('past-due tenants, unknown outcomes, refused refunds, failed payouts and failing endpoints wait', async () => {
  await late.simulate('advance_clock', { by: 'P40D' });
  const { rent, oldest } = await oneRowOf<{ rent: string; oldest: string }>(
    svc.db,
    sql`
    select p.rent_cycle_date::text as rent, min(i.due_date)::text as oldest
    from plan p join installment i on i.partner_id = p.partner_id and i.plan_id = p.id
    where p.id = ${late.plan.id} and i.state in ('failed', 'overdue') group by p.rent_cycle_date`,
  );
  expect(oldest).not.toBe(rent);
  expect(await itemsOf('past_due')).toMatchObject([
    {
      external_id: 't-late',
      // The wait is measured from the oldest late payment.
      waiting_since: `${oldest}T00:00:00.000Z`,
      amount_in_cents: expect.any(Number),
      problem: expect.stringMatching(/^The tenant is \d\d days late\. The oldest open payment was/),
      commands: [{ name: 'collections-pause', input: { pms, tenant: 't-late' } }],
    },
  ]);
  await svc.db.run(sql`
    update processor_call set state = 'unknown', check_at = now() where key = (
      select y.id from payment y join installment i
        on i.partner_id = y.partner_id and i.id = y.installment_id
      where i.plan_id = ${late.plan.id} limit 1)`);
  expect(await itemsOf('unknown_payments')).toMatchObject([
    { external_id: 't-late', problem: expect.stringContaining('has not said what became of') },
  ]);
  const created = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://127.0.0.1:1/hook' },
  });
  await svc.db.run(sql`
    update webhook_endpoints set failing_since = now() where id = ${created.data.id}`);
  expect(await itemsOf('endpoints')).toMatchObject([
    { id: created.data.id, partner: pms, problem: expect.stringContaining('127.0.0.1') },
  ]);
  expect(await itemsOf('books')).toEqual([]);
  expect(await itemsOf('payouts')).toEqual([]);
  expect(await itemsOf('refused_refunds')).toEqual([]);
});

test('a command that waits for a second person is in the queue of people who see all portals', async () => {
  const strict = await startRunning({ approvals: { everyone_in_cents: 0, by_role: {} } });
  onTestFinished(() => strict.close());
  const { pms: portal } = await strict.newPartner();
  const person = await signInOperator(strict, { role: 'admin' });
  const asked = await strict.administer({ command: 'key create', pms: portal });
  if (asked.ok) throw new Error('A key was created without a second person.');
  const { data } = await person.call('GET', '/queues/approvals');
  const input = { approval_id: asked.approvalId };
  expect(data.items).toMatchObject([
    {
      id: asked.approvalId,
      partner: portal,
      subject_id: null,
      problem: expect.stringContaining('wants to run "key create"'),
      advice: `Portal: ${portal}. Approve or refuse it.`,
      commands: [
        { name: 'approval-approve', input, runs: 'key-create' },
        { name: 'approval-refuse', input },
      ],
      due_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  ]);
  expect(await countOf('approvals', limited)).toMatchObject({ count: 0 });

  const shown = await strict.administer({ command: 'terms show', version: 'default' });
  const { terms } = (shown as unknown as { result: { terms: object } }).result;
  await strict.administer({
    command: 'terms apply',
    terms: { ...terms, fee_in_cents: 3_500 },
    effective: '2026-03-01',
  });
  const { data: both } = await person.call('GET', '/queues/approvals');
  expect(both.items.map((it: { advice: string }) => it.advice)).toContain(
    'Effective: 2026-03-01. Fee: $30.00 → $35.00. States: all. Portals: all. Approve or refuse it.',
  );
});
