import { scenarios, type TenantEvent, testBanks } from '@svc/contract';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { insertTerms } from './support/insert-terms.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { key } = partner;

const simulate = (externalId: string, verb: string, body: object = {}) =>
  svc.call('POST', `/simulation/${encodeURIComponent(externalId)}/${verb}`, { key, body });
const history = async (externalId: string) =>
  (await svc.call('GET', `/simulation/${encodeURIComponent(externalId)}/history`, { key })).data;
const eventsOf = async (externalId: string): Promise<TenantEvent[]> =>
  (await history(externalId)).events;
const typesOf = async (externalId: string) => (await eventsOf(externalId)).map(({ type }) => type);

/** Returns how many webhook deliveries and how many mails about the tenant are stored. */
async function sentAbout(externalId: string) {
  const [row] = await rowsOf<{ deliveries: number; mails: number }>(
    svc.db,
    sql`
    select (select count(*)::integer from webhook_messages m
        join webhook_deliveries_open d on d.owner = m.owner and d.message_id = m.id
      where m.owner = ${partner.id} and m.subject = ${externalId}) as deliveries,
      (select count(*)::integer from mail l join tenant t on t.partner_id = l.partner_id
          and t.id = l.tenant_id
        where t.partner_id = ${partner.id} and t.external_id = ${externalId}) as mails`,
  );
  return row;
}

/** An approved tenant, with the calls of the experience. */
async function withApproval(externalId: string, more: object = {}) {
  await simulate(externalId, 'set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms: partner.pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply(500_000, more);
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  const post = (path: string, body: unknown) =>
    svc.call('POST', `/experience${path}`, { body, headers });
  return { ...tenant, post };
}

test('a tenant is copied at each of their webhooks, by what portal, tenant and clock did', async () => {
  const tenant = await withPlan(svc, partner, 't-life');
  const [, second] = tenant.plan.installments;
  await tenant.change('pay', { installment_ids: [second.id] });
  const { settlement } = tenant.accepted.data;
  await svc.call('PATCH', `/settlements/${settlement.settlement_id}`, {
    key,
    body: { status: 'verified', processor_transaction_id: 'tr_1' },
  });
  await simulate('t-life', 'fail_next_payment', { return_code: 'R01' });
  await simulate('t-life', 'advance_clock', { by: 'P25D' });
  await svc.call('POST', `/settlements/${settlement.settlement_id}/refunds`, {
    key,
    body: { amount_in_cents: 5_000 },
  });
  const events = await eventsOf('t-life');
  expect(events.length).toBeGreaterThan(10);
  for (const [index, { id, type, occurred_at }] of events.entries()) {
    const fork = await simulate('t-life', 'fork', { at: id });
    expect(fork.error, `at ${type}`).toBe(null);
    expect(fork.data).toMatchObject({
      external_id: `t-life~fork-${index + 1}`,
      forked_from: 't-life',
      at: id,
      reproduced_events: index + 1,
    });
    const copied = await eventsOf(fork.data.external_id);
    const expected = events.slice(0, copied.length).map((it) => [it.type, it.occurred_at]);
    expect(copied.map((it) => [it.type, it.occurred_at])).toEqual(expected);
    // The tenant's clock stands at the webhook, or at the payment of its transaction.
    const { simulated_time } = fork.data.simulation;
    expect(simulated_time >= occurred_at, `${type}: ${simulated_time} ${occurred_at}`).toBe(true);
  }
});

test.each(scenarios)('a tenant of the scenario %s is copied', async (scenario) => {
  const externalId = `t-${scenario}`;
  expect((await simulate(externalId, 'scenario', { scenario })).error).toBe(null);
  const fork = await simulate(externalId, 'fork');
  expect(fork.error).toBe(null);
  const original = await history(externalId);
  const copy = await history(fork.data.external_id);
  expect(copy.plan?.state).toBe(original.plan?.state);
  expect(copy.postings).toEqual(original.postings);
  expect(copy.events.map(({ type }: TenantEvent) => type)).toEqual(
    original.events.map(({ type }: TenantEvent) => type),
  );
  expect(copy.simulation.rent_cycle_date).toBe(original.simulation.rent_cycle_date);
});

test('one fact changes in a copy, and not in the tenant', async () => {
  await simulate('t-change', 'scenario', { scenario: 'split' });
  const before = await history('t-change');
  const failing = await simulate('t-change', 'fork', { change: { fail_next_payment: 'R02' } });
  expect(failing.data.simulation.pending_payment_failures).toEqual(['R02']);
  const later = await simulate('t-change', 'fork', { change: { advance_clock: 'P30D' } });
  expect(await typesOf(later.data.external_id)).toContain('installment.paid');
  await simulate(failing.data.external_id, 'advance_clock', { by: 'P30D' });
  expect(await typesOf(failing.data.external_id)).toContain('installment.failed');
  expect((await history('t-change')).events).toEqual(before.events);
});

test('webhooks and mails about a copy go nowhere, unless the webhooks are asked for', async () => {
  const { data: endpoint } = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/hook', ordered: true },
  });
  await simulate('t-quiet', 'scenario', { scenario: 'split' });
  const quiet = (await simulate('t-quiet', 'fork')).data.external_id;
  await simulate(quiet, 'advance_clock', { by: 'P10D' });
  expect((await eventsOf(quiet)).length).toBeGreaterThan(8);
  expect(await sentAbout(quiet)).toEqual({ deliveries: 0, mails: 0 });
  const loud = (await simulate('t-quiet', 'fork', { deliver_webhooks: true })).data.external_id;
  expect(loud).toBe('t-quiet~copy-1');
  expect(await sentAbout(loud)).toMatchObject({ deliveries: (await eventsOf(loud)).length });
  await svc.call('DELETE', `/webhooks/endpoints/${endpoint.id}`, { key });
});

test('a copy is copied again, also after a fact was changed', async () => {
  await simulate('t-twice', 'scenario', { scenario: 'split' });
  const change = { advance_clock: 'P10D' };
  const first = (await simulate('t-twice', 'fork', { change })).data.external_id;
  const again = await simulate(first, 'fork');
  expect(again.error).toBe(null);
  expect(again.data).toMatchObject({ external_id: 't-twice~fork-2', forked_from: first });
  expect(await typesOf('t-twice~fork-2')).toEqual(await typesOf(first));
});

test('a tenant who picked an account on the page of a bank is copied', async () => {
  const who = await withApproval('t-bank');
  const begun = await who.post('/payment_setup', { type: 'bank_account', bank: testBanks[0]?.id });
  const visit = await rowsOf<{ url: string }>(
    svc.db,
    sql`select url from simulator_setup where partner_id = ${partner.id} order by created_at desc limit 1`,
  );
  await fetch(visit[0]?.url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ account: '000111110000' }),
    redirect: 'manual',
  });
  const checked = await who.post(`/payment_setup/${begun.data.id}/check`, undefined);
  expect(checked.data).toMatchObject({ state: 'ready' });
  const { items } = (await who.quotes()).data;
  expect((await who.accept(items[0])).error).toBe(null);
  const fork = await simulate('t-bank', 'fork');
  expect(fork.error).toBe(null);
  expect((await history('t-bank~fork-1')).plan.installments).toHaveLength(2);
});

test('the next terms are tried in a copy', async () => {
  const version = await insertTerms(
    svc.db,
    { fee_in_cents: 4_500 },
    { effectiveFrom: '2099-01-01' },
  );
  await simulate('t-terms', 'scenario', { scenario: 'approved' });
  const wrong = await simulate('t-terms', 'fork', { change: { terms_version: 'none' } });
  expect(wrong.error?.errors?.[0]?.message).toMatch(/^must be one of default-2026-11, /);
  const change = { terms_version: version };
  const copy = (await simulate('t-terms', 'fork', { change })).data.external_id;
  await simulate(copy, 'scenario', { scenario: 'split' });
  await simulate('t-terms', 'scenario', { scenario: 'split' });
  expect((await history(copy)).plan.fee_in_cents).toBe(4_500);
  expect((await history('t-terms')).plan.fee_in_cents).toBe(3_000);
});

test('a copy that does not come out like the tenant is refused with the first difference', async () => {
  const other = await svc.newPartner();
  const run = (verb: string, body: object = {}) =>
    svc.call('POST', `/simulation/t-differs/${verb}`, { key: other.key, body });
  await run('scenario', { scenario: 'split' });
  await insertTerms(svc.db, { fee_in_cents: 4_000 }, { partnerId: other.id });
  const fork = await run('fork');
  expect(fork.status).toBe(409);
  expect(fork.error?.code).toBe('not_reproducible');
  expect(fork.error?.message).toMatch(
    /^The copy t-differs~fork-1 is not like t-differs: of webhook 4 \(plan\.created, evt_\w+\), data\.fee_in_cents was 3000, and is 4000 in the copy\.$/,
  );
  const { data: copy } = await svc.call('GET', '/simulation/t-differs~fork-1/history', {
    key: other.key,
  });
  expect(copy).toMatchObject({ forked_from: 't-differs', reproduced_events: 3 });
});

test('a recording is played in another sandbox, or again in this one', async () => {
  await simulate('t-recorded', 'scenario', { scenario: 'installment_failed' });
  const { data: recording } = await svc.call('GET', '/simulation/t-recorded/recording', { key });
  const kept = JSON.parse(JSON.stringify(recording));
  const elsewhere = await svc.newPartner();
  const replay = (body: object) =>
    svc.call('POST', '/simulation/t-replayed/replay', { key: elsewhere.key, body });
  const played = await replay({ recording: kept, change: { advance_clock: 'P3D' } });
  expect(played.error).toBe(null);
  expect(played.data.reproduced_events).toBe(recording.events.length);
  const taken = await replay({ recording: kept });
  expect(taken.error).toMatchObject({ code: 'validation_failed', param: 'external_id' });
  const edited = { ...kept, events: kept.events.toReversed() };
  const changed = await svc.call('POST', '/simulation/t-edited/replay', {
    key: elsewhere.key,
    body: { recording: edited },
  });
  expect(changed.error?.code).toBe('not_reproducible');
  const noRecording = await svc.call('POST', '/simulation/t-none/replay', {
    key: elsewhere.key,
    body: { recording: { version: 2 } },
  });
  expect(noRecording.error).toMatchObject({ code: 'validation_failed' });
});

test('what cannot be copied is refused with the reason', async () => {
  expect((await simulate('t-nobody', 'fork')).error?.code).toBe('tenant_not_found');
  await simulate('t-some', 'scenario', { scenario: 'applied' });
  const elsewhere = (await eventsOf('t-quiet'))[0]?.id;
  expect((await simulate('t-some', 'fork', { at: elsewhere })).error).toMatchObject({
    code: 'message_not_found',
    message: expect.stringContaining('is no webhook about this tenant'),
  });
  const both = { fail_next_payment: 'R01', advance_clock: 'P1D' };
  expect((await simulate('t-some', 'fork', { change: both })).error?.code).toBe(
    'validation_failed',
  );
  await svc.db.run(sql`delete from recorded_call where partner_id = ${partner.id} and tenant_id = (
    select id from tenant where partner_id = ${partner.id} and external_id = 't-some')`);
  expect((await simulate('t-some', 'fork')).error).toMatchObject({
    code: 'not_reproducible',
    message: expect.stringContaining('No calls about t-some are recorded'),
  });
});

test('a Social Security number and a link are not recorded, and what is recorded is encrypted', async () => {
  const who = await withApproval('t-private', { ssn: '123456789' });
  expect((await who.state()).data).toBeDefined();
  const { data } = await svc.call('GET', '/simulation/t-private/recording', { key });
  expect(JSON.stringify(data)).not.toContain('123456789');
  const stored = await rowsOf<{ input: string }>(
    svc.db,
    sql`select encode(input_sealed, 'escape') as input from recorded_call where partner_id = ${partner.id}`,
  );
  expect(stored.length).toBeGreaterThan(20);
  for (const { input } of stored) expect(input).not.toContain('charges');
});

test('a report that a portal sends with each page is recorded once', async () => {
  const send = (body: object) =>
    svc.call('POST', '/portal_info', { key, body: { external_id: 't-pages', ...ada, ...body } });
  for (let page = 0; page < 3; page += 1) await send({});
  await send({ phone_number: '+15125550199' });
  await send({});
  const { data } = await svc.call('GET', '/simulation/t-pages/recording', { key });
  expect(data.calls).toHaveLength(3);
  expect((await simulate('t-pages', 'fork')).data.reproduced_events).toBe(data.events.length);
});

test('an export names the recorded calls, and erasing the tenant deletes them', async () => {
  const named = { pms: partner.pms, external_id: 't-pages' };
  const exported = await svc.administer({ command: 'tenant export', ...named });
  expect(exported).toMatchObject({
    ok: true,
    result: {
      tables: { recorded_call: Array.from({ length: 3 }, () => ({ call: 'POST /portal_info' })) },
    },
  });
  expect(await svc.administer({ command: 'tenant erase', ...named })).toMatchObject({ ok: true });
  const kept = await rowsOf(
    svc.db,
    sql`
    select r.id from recorded_call r join tenant t on t.partner_id = r.partner_id and t.id = r.tenant_id
    where t.partner_id = ${partner.id} and t.erased_at is not null`,
  );
  expect(kept).toEqual([]);
});

test('a tenant whose clock was reset after a plan is copied', async () => {
  await simulate('t-reset', 'scenario', { scenario: 'split' });
  await simulate('t-reset', 'advance_clock', { by: 'P1M' });
  await simulate('t-reset', 'reset');
  expect((await simulate('t-reset', 'fork')).error).toBe(null);
});
