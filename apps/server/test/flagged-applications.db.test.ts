import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, expect, test } from 'vitest';
import type { WaitingReview } from '../src/domain/applications/review-queue.ts';
import type { Listed } from '../src/domain/listed.ts';
import { measureStored } from '../src/metrics/measure-stored.ts';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import { ada, type Running, startRunning, useService } from './harness.ts';
import { playTenant, testAccount } from './journeys/play-tenant.ts';

const now = '2026-02-01T18:00:00Z';
const holding = await useService({ holdFlagged: true, decisionNeedsAccount: true }, now);
const listing = await useService({}, now);
const partner = await holding.newPartner();

const approval = { outcome: 'approved', policy_version: 'p-1', approved_amount_in_cents: 200_000 };
let asked = 0;
const decisionService = createServer((_, response) => {
  asked += 1;
  response.end(JSON.stringify(approval));
});
await new Promise<void>((resolve) => decisionService.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  decisionService.closeAllConnections();
  decisionService.close();
});

interface Home {
  readonly lease: string;
  readonly unit?: string;
  readonly dueDate?: string;
}

async function newTenant(
  svc: Running,
  { key, pms }: typeof partner,
  externalId: string,
  { lease, unit, dueDate = '2026-02-01' }: Home,
) {
  const property = { ...ada.lease.property, ...(unit !== undefined && { line2: unit }) };
  const charges = ada.charges.map((it) => ({ ...it, due_date: dueDate }));
  const body = { ...ada, charges, lease: { id: lease, property } };
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  return playTenant(svc, info.data.token, who);
}

let accounts = 0;

/** Nobody else has this account. */
function newAccount() {
  accounts += 1;
  return { ...testAccount, account_number: `99900000${accounts}` };
}

async function applyWith(tenant: Awaited<ReturnType<typeof newTenant>>, account: object) {
  await tenant.apply();
  const { data } = await tenant.pay(account);
  return data.application as { id: string; state: string };
}

async function run(svc: Running, request: OperatorRequest): Promise<string> {
  const answer = await svc.administer(request);
  return answer.ok ? describeResult(request, answer.result) : answer.message;
}

async function flagsOf(svc: Running, pms: string, externalId: string) {
  const answer = await svc.administer({ command: 'risk list', pms });
  if (!answer.ok) throw new Error(answer.message);
  const { applications } = answer.result as unknown as {
    applications: { items: { external_id: string; reasons: string[] }[] };
  };
  return applications.items
    .filter((it) => it.external_id === externalId)
    .map(({ reasons }) => reasons);
}

/** The review queue's line about the tenant. */
async function inQueue(svc: Running, externalId: string) {
  const answer = await svc.administer({ command: 'review list' });
  if (!answer.ok) throw new Error(answer.message);
  const { items } = answer.result as unknown as Listed<WaitingReview>;
  return items.find((it) => it.external_id === externalId);
}

test('an account of two households holds the second application until an operator decides', async () => {
  const { pms } = partner;
  const account = newAccount();
  const first = await newTenant(holding, partner, 't-first', { lease: 'L-1' });
  expect((await applyWith(first, account)).state).toBe('approved');
  const second = await newTenant(holding, partner, 't-second', { lease: 'L-2' });
  const { id, state } = await applyWith(second, account);
  expect(state).toBe('in_review');
  expect((await second.state()).data).toMatchObject({ step: 'decision' });
  expect(await run(holding, { command: 'risk list', pms })).toMatch(
    new RegExp(`${id} +${pms}/t-second +shared_account +in_review`),
  );
  expect(await run(holding, { command: 'review list' })).toMatch(
    new RegExp(`${pms}/t-second +${id} +not asked +shared_account`),
  );
  const release = { command: 'review release', application_id: id } as const;
  expect(await run(holding, release)).toBe(`The rules decided: ${id} is approved.\n`);
  expect((await second.state()).data.application.state).toBe('approved');
  expect(await run(holding, release)).toContain(`There is no application ${id} in review.`);
  expect(await inQueue(holding, 't-second')).toBeUndefined();
  expect(await flagsOf(holding, pms, 't-second')).toEqual([['shared_account']]);
});

test('roommates may share an account', async () => {
  const account = newAccount();
  for (const externalId of ['t-roommate-1', 't-roommate-2']) {
    const tenant = await newTenant(holding, partner, externalId, { lease: 'L-3' });
    expect((await applyWith(tenant, account)).state).toBe('approved');
    expect(await flagsOf(holding, partner.pms, externalId)).toEqual([]);
  }
});

test('the third household of one unit in a month is held, and may be declined with a notice', async () => {
  const units = ['Apt 4', 'apt  4', 'APT 4'];
  const applied = [];
  for (const [index, unit] of units.entries()) {
    const home = { lease: `L-unit-${index}`, unit };
    const tenant = await newTenant(holding, partner, `t-unit-${index}`, home);
    applied.push({ tenant, application: await applyWith(tenant, newAccount()) });
  }
  expect(applied.map((it) => it.application.state)).toEqual(['approved', 'approved', 'in_review']);
  const last = applied[2];
  if (!last) throw new Error('three tenants applied');
  expect(await inQueue(holding, 't-unit-2')).toMatchObject({ flags: ['many_at_address'] });
  const request = { command: 'review decide', application_id: last.application.id } as const;
  const decline = ['unable_to_verify'] as const;
  expect(await run(holding, { ...request, decline })).toContain('is declined');
  expect((await last.tenant.state()).data).toMatchObject({
    application: { state: 'declined' },
    notice: { reason_codes: ['unable_to_verify'] },
  });
});

test('a held application reaches the decision service only after the operator released it', async () => {
  const { port } = decisionService.address() as AddressInfo;
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const underwriting = { url: `http://127.0.0.1:${port}/decide`, secret, fields: [] };
  const asking = await startRunning({ holdFlagged: true, underwriting }, now);
  const portal = await asking.newPartner();
  const stateOf = async (tenant: Awaited<ReturnType<typeof newTenant>>) => {
    // The job that asks runs once a second.
    asking.clock.advance(1_000);
    return (await tenant.state()).data.application.state;
  };
  for (const lease of ['L-1', 'L-2']) {
    const tenant = await newTenant(asking, portal, `t-${lease}`, { lease, unit: 'Apt 4' });
    await tenant.apply();
    await expect.poll(() => stateOf(tenant)).toBe('approved');
  }
  const third = await newTenant(asking, portal, 't-L-3', { lease: 'L-3', unit: 'Apt 4' });
  const { id } = (await third.apply()).data.application;
  expect([await stateOf(third), await stateOf(third), asked]).toEqual([
    'in_review',
    'in_review',
    2,
  ]);
  const about = { application_id: id } as const;
  await run(asking, { command: 'review take', ...about });
  asking.clock.advance(120_000);
  expect([await stateOf(third), asked]).toEqual(['in_review', 2]);
  expect(await run(asking, { command: 'review release', ...about })).toBe(
    `The decision service is asked about ${id} now.\n`,
  );
  await expect.poll(() => stateOf(third)).toBe('approved');
  expect(asked).toBe(3);
  await asking.close();
});

test('a held application that no one decides is declined with a notice when its cycle closes', async () => {
  const svc = await startRunning({ holdFlagged: true }, now);
  const portal = await svc.newPartner();
  const home = { lease: 'L-1', unit: 'Apt 4' };
  for (const lease of ['L-2', 'L-3']) {
    await (await newTenant(svc, portal, `t-${lease}`, { ...home, lease })).apply();
  }
  const tenant = await newTenant(svc, portal, 't-late', home);
  expect((await tenant.apply()).data.application.state).toBe('in_review');
  const queued = await inQueue(svc, 't-late');
  const expiresAt = new Date(queued?.expires_at ?? '');
  const deadline = new Date(`${queued?.notice_due_on}T00:00:00Z`);
  expect(expiresAt.getTime()).toBeLessThan(deadline.getTime());

  svc.clock.advance(expiresAt.getTime() - svc.clock.now().getTime() - 2 * 86_400_000);
  expect((await measureStored(svc.db, svc.clock.now())).svc_reviews_ending).toEqual([{ value: 1 }]);
  svc.clock.advance(2 * 86_400_000);
  const nextMinute = () => {
    // The job that declines runs once a minute.
    svc.clock.advance(60_000);
    return inQueue(svc, 't-late');
  };
  await expect.poll(nextMinute).toBeUndefined();
  const published = await rowsOf<{ body: string }>(
    svc.db,
    sql`
    select body from webhook_messages
    where subject = 't-late' and type in ('application.declined', 'application.expired')`,
  );
  expect(published.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'application.declined', data: { reapply_after: '2026-02-11' } },
  ]);
  const mail = await svc.administer({ command: 'mail list', pms: portal.pms });
  expect(JSON.stringify(mail)).toContain('application.declined');
  const stored = sql`
    select d.policy_version, d.reasons, d.facts ->> 'amount_in_cents' as amount
    from decision d join application a on a.partner_id = d.partner_id and a.id = d.application_id
    where a.id = ${queued?.application_id}`;
  expect(await rowsOf(svc.db, stored)).toEqual([
    { policy_version: 'not-decided', reasons: ['unable_to_verify'], amount: '152012' },
  ]);
  expect(await rowsOf(svc.db, sql`select from review`)).toEqual([]);

  // Most declined tenants wait for 90 days. This one may apply for the next month.
  svc.clock.advance(14 * 86_400_000);
  const again = await newTenant(svc, portal, 't-late', { ...home, dueDate: '2026-03-01' });
  expect((await again.applyAgain()).data.application.state).not.toBe('declined');
  await svc.close();
});

test('without the setting, flagged applications are decided as usual and listed', async () => {
  const portal = await listing.newPartner();
  const account = newAccount();
  const closed = { ...testAccount, account_number: '000111110002' };
  const first = await newTenant(listing, portal, 't-first', { lease: 'L-1' });
  await applyWith(first, closed);
  const [quote] = (await first.quotes()).data.items;
  expect((await first.accept(quote)).data.failure).toMatchObject({
    code: 'first_payment_failed:R02',
  });
  expect(await run(listing, { command: 'risk list', pms: portal.pms })).toMatch(
    /R02\nFirst payments in 60 days: 1, returned: 1 \(100\.00 %\)\.\n$/,
  );
  await first.pay(account);
  const other = await newTenant(listing, portal, 't-other', { lease: 'L-2' });
  await applyWith(other, account);
  expect(await flagsOf(listing, portal.pms, 't-other')).toEqual([]);

  // The next month, both apply again.
  listing.clock.advance(28 * 86_400_000);
  const next = { dueDate: '2026-03-01' };
  const again = await newTenant(listing, portal, 't-first', { lease: 'L-1', ...next });
  expect((await again.applyAgain()).data.application.state).toBe('approved');
  expect(await flagsOf(listing, portal.pms, 't-first')).toEqual([
    ['shared_account', 'first_payment_returned'],
  ]);
});

test('no number can be read from what is stored, and erasing a tenant deletes it', async () => {
  const tenant = await newTenant(holding, partner, 't-erased', { lease: 'L-9', unit: 'Apt 9' });
  const account = newAccount();
  await applyWith(tenant, account);
  const marks = () =>
    rowsOf<{ kind: string; text: string }>(
      holding.db,
      sql`
      select m.kind, m::text as text from risk_mark m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
      where t.external_id = 't-erased' order by m.kind`,
    );
  const stored = await marks();
  expect(stored.map((it) => it.kind)).toEqual(['account', 'address']);
  const hex = Buffer.from(account.account_number).toString('hex');
  for (const { text } of stored) {
    expect(text).not.toContain(account.account_number);
    expect(text).not.toContain(hex);
  }
  const erase = { command: 'tenant erase', pms: partner.pms, external_id: 't-erased' } as const;
  expect(await holding.administer(erase)).toMatchObject({ ok: true });
  const left = await rowsOf(
    holding.db,
    sql`
    select from risk_mark m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where t.erased_at is not null`,
  );
  expect(left).toEqual([]);
});
