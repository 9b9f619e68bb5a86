import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sql, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import type { Listed } from '../src/domain/listed.ts';
import type { TermsPreview } from '../src/domain/offers/preview-terms.ts';
import type { AppliedTerms } from '../src/domain/partners/apply-terms.ts';
import {
  builtInTermsByVersion,
  defaultTermsVersion,
  type ProgramTerms,
} from '../src/domain/partners/terms.ts';
import { tick } from '../src/jobs/tick.ts';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import type { AuditLine } from '../src/operator/list-audit-log.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { type Partner, withPlan } from './journeys/with-plan.ts';
import { runEntry } from './run-entry.ts';
import { insertTerms } from './support/insert-terms.ts';
import { serviceTarget } from './support/service-database.ts';

const svc = await useService();
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const builtInTerms = builtInTermsByVersion[defaultTermsVersion] as ProgramTerms;

async function run(request: OperatorRequest): Promise<object> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

async function apply(
  change: Partial<ProgramTerms>,
  of: { pms?: string; state?: string; effective?: string } = {},
): Promise<AppliedTerms> {
  const terms = { ...builtInTerms, ...change };
  return (await run({
    command: 'terms apply',
    terms,
    effective: '2026-02-02',
    ...of,
  })) as AppliedTerms;
}

/** An approved tenant at noon of the due date, 2026-02-01, who only has to choose a plan. */
async function toPlanChoice(partner: Partner, externalId: string, info: object = ada) {
  const { key, pms } = partner;
  const simulate = (call: string, body: object) =>
    svc.call('POST', `/simulation/${externalId}/${call}`, { key, body });
  await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  const report = () => svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: info });
  const { data } = await report();
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, data.token, who);
  await tenant.apply();
  await tenant.pay();
  const again = async () => playTenant(svc, (await report()).data.token, who);
  return { ...tenant, simulate, again };
}

const feesOf = async (tenant: { quotes(): ReturnType<typeof svc.call> }): Promise<number[]> =>
  (await tenant.quotes()).data.items.map((it: { fee_in_cents: number }) => it.fee_in_cents);

const inState = (state: string | null) => ({
  ...ada,
  lease: { ...ada.lease, property: { ...ada.lease.property, state } },
});

async function operatorEntry(subjectId: string): Promise<AuditLine | undefined> {
  const { items } = (await run({
    command: 'audit list',
    pms: 'operator',
  })) as Listed<AuditLine>;
  return items.find((it) => it.subject_id === subjectId);
}

async function planOf(externalId: string) {
  return oneRowOf<{ id: string; terms_version: string | null; sha256: string }>(
    svc.db,
    sql`
    select p.id, p.terms_version, encode(p.disclosure_sha256, 'hex') as sha256
    from plan p join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id where t.external_id = ${externalId}`,
  );
}

test('new terms apply from midnight at the property, and quotes of the day before are refused', async () => {
  const partner = await svc.newPartner();
  const { version } = await apply(
    { fee_in_cents: 45_00, installment_counts: [2, 3] },
    { pms: partner.pms },
  );
  const tenant = await toPlanChoice(partner, 't-midnight');
  // 23:59 in Chicago.
  await tenant.simulate('advance_clock', { to: '2026-02-02T05:59:00Z' });
  let session = await tenant.again();
  expect(await feesOf(session)).toEqual([30_00, 30_00, 30_00]);
  const [old] = (await session.quotes()).data.items;
  await tenant.simulate('advance_clock', { to: '2026-02-02T06:00:00Z' });
  session = await tenant.again();
  expect(await feesOf(session)).toEqual([45_00, 45_00]);
  const refused = await session.accept(old);
  expect([refused.status, refused.error?.code]).toEqual([404, 'quote_not_found']);
  const { terms } = (await session.state()).data;
  expect(terms).toMatchObject({ fee_in_cents: 45_00, installment_counts: [2, 3] });
  const accepted = await session.accept((await session.quotes()).data.items[0]);
  expect(accepted.data.settlement.amount_in_cents).toBe(152_012);
  expect((await planOf('t-midnight')).terms_version).toBe(version);
});

test('terms whose payments no longer fit late in the window say so before and after the decision', async () => {
  const partner = await svc.newPartner();
  // On February 14, 15 days are left before the next rent: two payments are 7 days apart.
  const terms = { installment_counts: [2, 3], days_apart: 8, closes_days_after: 13 };
  await insertTerms(svc.db, terms, { partnerId: partner.id });
  const tenant = await toPlanChoice(partner, 't-no-days');
  expect((await tenant.state()).data).toMatchObject({ step: 'plan_choice' });
  await tenant.simulate('advance_clock', { to: '2026-02-14T18:00:00Z' });
  const late = await tenant.again();
  expect((await late.quotes()).data.items).toEqual([]);
  expect((await late.state()).data).toMatchObject({
    step: 'blocked',
    eligibility: { state: 'approved', reason: null },
    terms: { installment_counts: [] },
  });
});

test('a quote is refused under new terms with the same amounts and dates', async () => {
  const partner = await svc.newPartner();
  const tenant = await toPlanChoice(partner, 't-same');
  const [quote] = (await tenant.quotes()).data.items;
  await insertTerms(svc.db, { part_payment_minimum_in_cents: 25_00 }, { partnerId: partner.id });
  const [renewed] = (await tenant.quotes()).data.items;
  expect(renewed.installments).toEqual(quote.installments);
  expect((await tenant.accept(quote)).error?.code).toBe('quote_not_found');
  expect((await tenant.accept(renewed)).status).toBe(200);
});

test('the state of the property chooses between versions, however the portal writes it', async () => {
  const partner = await svc.newPartner();
  const { id: partnerId } = partner;
  await insertTerms(svc.db, { fee_in_cents: 20_00 }, { partnerId, state: 'TX' });
  await insertTerms(svc.db, { fee_in_cents: 25_00 }, { partnerId });
  const feeIn = async (name: string, state: string | null) =>
    (await feesOf(await toPlanChoice(partner, name, inState(state))))[0];
  expect(await feeIn('t-texas', 'texas')).toBe(20_00);
  expect(await feeIn('t-tx', 'TX')).toBe(20_00);
  expect(await feeIn('t-ohio', 'OH')).toBe(25_00);
  expect(await feeIn('t-nowhere', null)).toBe(25_00);
  // A property that turns out to be in another state.
  const moved = await toPlanChoice(partner, 't-moved', inState('OH'));
  const body = inState('TX');
  await svc.call('POST', '/tenant/portal_info/t-moved', { key: partner.key, body });
  expect((await feesOf(moved))[0]).toBe(20_00);
});

describe('late rules and retries', () => {
  const strict = { retry_after_days: [], past_due_after_days: 5, charge_off_after_days: 12 };

  async function failSecond(tenant: Awaited<ReturnType<typeof withPlan>>) {
    await tenant.simulate('fail_next_payment', { return_code: 'R01' });
    // The second payment is due on February 9.
    await tenant.simulate('advance_clock', { to: '2026-02-09T18:00:00Z' });
    const failed = await lastEvent(tenant.externalId, 'installment.failed');
    return { next: failed?.next_attempt_at, state: (await tenant.read()).installments[1].state };
  }

  async function lastEvent(externalId: string, type: string) {
    const rows = await rowsOf<{ data: { next_attempt_at: string | null } }>(
      svc.db,
      sql`
      select body::json -> 'data' as data from webhook_messages
      where subject = ${externalId} and type = ${type} order by id desc limit 1`,
    );
    return rows[0]?.data;
  }

  test('an agreed plan keeps its rules when the terms change', async () => {
    const partner = await svc.newPartner();
    const tenant = await withPlan(svc, partner, 't-agreed');
    await apply(strict, { pms: partner.pms });
    const { state, next } = await failSecond(tenant);
    expect([state, next]).toEqual(['failed', '2026-02-10T15:00:00.000Z']);
    await tenant.simulate('fail_next_payment', { return_code: 'R01' });
    await tenant.change('autopay', { enabled: false });
    await tenant.simulate('advance_clock', { to: '2026-02-28T18:00:00Z' });
    expect((await tenant.read()).state).toBe('active');
    // The page shows the plan's rules, not those of a new plan.
    const shown = await svc.call('GET', '/experience/state', {
      headers: { authorization: `Bearer ${(await reopen(partner, 't-agreed')).session}` },
    });
    expect(shown.data.terms).toMatchObject({
      retries: 2,
      past_due_after_days: 30,
      charge_off_after_days: 120,
    });
    await tenant.simulate('advance_clock', { to: '2026-03-11T15:00:00Z' });
    expect((await tenant.read()).state).toBe('past_due');
    expect((await planOf('t-agreed')).terms_version).toBe(defaultTermsVersion);
  });

  test('a plan under other terms follows those terms', async () => {
    const partner = await svc.newPartner();
    await insertTerms(svc.db, strict, { partnerId: partner.id });
    const tenant = await withPlan(svc, partner, 't-strict');
    expect(await failSecond(tenant)).toEqual({ next: null, state: 'overdue' });
    await tenant.simulate('advance_clock', { to: '2026-02-14T15:00:00Z' });
    expect((await tenant.read()).state).toBe('past_due');
    await tenant.simulate('advance_clock', { to: '2026-02-21T15:00:00Z' });
    expect((await tenant.read()).state).toBe('charged_off');
    const agreement = (await tenant.ownPlan()).data.management.agreement.text;
    expect(agreement).toContain('5 days late: ');
    expect(agreement).toContain('12 days late: ');
  });

  async function reopen({ key, pms }: Partner, externalId: string) {
    const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
    const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
    return (await playTenant(svc, info.data.token, who)).exchanged.data;
  }
});

test('a lower limit changes eligibility when its day begins, with an event', async () => {
  const partner = await svc.newPartner();
  await svc.call('POST', '/tenant/portal_info/t-limit', { key: partner.key, body: ada });
  const changes = async () =>
    (
      await rowsOf<{ reason: string | null; state: string }>(
        svc.db,
        sql`
        select body::json #>> '{data,state}' as state, body::json #>> '{data,reason}' as reason
        from webhook_messages
        where subject = 't-limit' and type = 'tenant.eligibility_changed' order by id`,
      )
    ).map((it) => [it.state, it.reason]);
  await apply({ maximum_in_cents: 1_000_00 }, { pms: partner.pms, effective: '2026-01-28' });
  const at = async (instant: string) => {
    svc.clock.advance(new Date(instant).getTime() - svc.clock.now().getTime());
    await tick({ ...svc, log: quiet });
  };
  await at('2026-01-28T05:59:00Z');
  expect(await changes()).toEqual([['can_apply', null]]);
  await at('2026-01-28T06:00:00Z');
  expect(await changes()).toEqual([
    ['can_apply', null],
    ['blocked', 'amount_above_cap'],
  ]);
});

test('our rules decline only by the reasons of the terms', async () => {
  const partner = await svc.newPartner();
  await insertTerms(svc.db, { decline_reasons: [] }, { partnerId: partner.id });
  const other = await svc.newPartner();
  const states = [];
  for (const { pms, key } of [partner, other]) {
    const externalId = `t-poor-${pms}`;
    const charges = [{ ...ada.charges[0], due_date: '2026-01-30' }];
    const body = { ...ada, charges };
    const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
    const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
    const tenant = await playTenant(svc, info.data.token, who);
    states.push((await tenant.apply(200_000)).data.step);
  }
  expect(states).toEqual(['blocked', 'declined']);
});

const facts = `{plan_number} {signed_on} {borrower} {creditor_name} {creditor_address} {support_email}
{apr} {finance_charge} {amount_financed} {total_of_payments} {fee} {first_payment} {account}
{payments}
{debit_by} {retries} {past_due_days} {charge_off_days}`;
const notice = (language: string) => ({
  reasons: {
    income_too_low: `${language} income`,
    account_too_new: `${language} new`,
    past_plan_unpaid: `${language} unpaid`,
    unable_to_verify: `${language} unverified`,
  },
  rights: `${language} rights`,
});
const documents = {
  agreement: {
    rent: { en: `TEXAS AGREEMENT\n\n${facts}`, es: `CONTRATO DE TEXAS\n\n${facts}` },
  },
  decline_notice: { en: notice('English'), es: notice('Spanish') },
};

test('an agreement is stored as agreed: text, hash and version of the terms', async () => {
  const partner = await svc.newPartner();
  const version = await insertTerms(svc.db, { documents }, { partnerId: partner.id });
  const tenant = await withPlan(svc, partner, 't-document');
  const { id, sha256, terms_version } = await planOf('t-document');
  expect(terms_version).toBe(version);
  await insertTerms(svc.db, {}, { partnerId: partner.id });
  const { text } = (await tenant.ownPlan()).data.management.agreement;
  expect(text).toMatch(new RegExp(`^TEXAS AGREEMENT\n\n${id} February 1, 2026 Ada Lane `));
  expect(text).toContain('$30.00 $410.03 bank account ending in 0000');
  expect(text).toContain('1. February 1, 2026: $410.03\n2. February 9, 2026: $380.03\n');
  const request = { command: 'plan agreement', plan_id: id } as const;
  const agreement = await run(request);
  expect(agreement).toMatchObject({ text, sha256, terms_version: version, is_full_text: true });
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  expect(describeResult(request, agreement)).toContain(`terms     ${version}\nSHA-256   ${sha256}`);
  expect(await operatorEntry(id)).toMatchObject({ action: 'agreement.read' });
  // Erasing leaves the text without names, and the hash of what was agreed.
  await tenant.simulate('reset', {});
  // The refund of the reset has to be answered first.
  await tick({ ...svc, log: quiet });
  await run({ command: 'tenant erase', pms: partner.pms, external_id: 't-document' });
  const erased = (await run(request)) as { text: string };
  expect(erased).toMatchObject({ sha256, terms_version: version, is_full_text: false });
  expect(erased.text).toContain('[removed]');
});

test('a plan whose stored text was changed is reported', async () => {
  await withPlan(svc, await svc.newPartner(), 't-forged');
  const { id } = await planOf('t-forged');
  await svc.db.run(sql`
    update plan set agreement_sealed = ${svc.service.vault.seal('Pay nothing', id)}
    where id = ${id}`);
  await expect(run({ command: 'plan agreement', plan_id: id })).rejects.toThrow(
    `The stored agreement of plan ${id} does not have its hash.`,
  );
  await expect(run({ command: 'plan agreement', plan_id: 'pln_0' })).rejects.toThrow(
    'There is no plan pln_0.',
  );
});

test('a decline notice keeps the words of the terms that it was decided under', async () => {
  const partner = await svc.newPartner();
  await insertTerms(svc.db, { documents }, { partnerId: partner.id });
  const { key, pms } = partner;
  await svc.call('POST', '/simulation/t-no/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_DECLINED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', '/tenant/portal_info/t-no', { key, body: ada });
  const who = { pms, apiKey: key, externalId: 't-no', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await insertTerms(svc.db, {}, { partnerId: partner.id });
  const { notice: shown } = (await tenant.state()).data;
  expect(shown).toMatchObject({ reasons: ['English income'], rights: 'English rights' });
  expect(shown.translations[0]).toMatchObject({ reasons: ['Spanish income'] });
});

test.each<[string, () => Sql, RegExp]>([
  ['changed', () => sql`update program_terms set reason = 'x'`, /program terms never change/],
  ['deleted', () => sql`delete from program_terms`, /program terms never change/],
  ['truncated', () => sql`truncate program_terms`, /program terms never change/],
])('stored terms cannot be %s', async (_, statement, message) => {
  await insertTerms(svc.db, {}, { partnerId: (await svc.newPartner()).id });
  await expect(svc.db.run(statement())).rejects.toThrow(message);
});

test('the terms and the hash of a plan cannot be replaced', async () => {
  const partner = await svc.newPartner();
  await withPlan(svc, partner, 't-fixed');
  const other = await insertTerms(svc.db, {}, { partnerId: partner.id });
  const { id } = await planOf('t-fixed');
  for (const change of [
    sql`update plan set terms_version = ${other} where id = ${id}`,
    sql`update plan set terms_version = null where id = ${id}`,
    sql`update plan set disclosure_sha256 = ${Buffer.alloc(32)} where id = ${id}`,
  ]) {
    await expect(svc.db.run(change)).rejects.toThrow(`plan ${id} keeps the terms`);
  }
});

test('a preview shows both offers and what differs, and stores nothing', async () => {
  const partner = await svc.newPartner();
  const request = {
    command: 'terms preview',
    terms: { ...builtInTerms, fee_in_cents: 45_00, installment_counts: [2, 6] },
    amount_in_cents: 150_000,
    pms: partner.pms,
    state: 'TX',
    effective: '2027-01-01',
  } as const;
  const preview = (await run(request)) as TermsPreview;
  expect(preview.now.quotes.map((it) => it.total_of_payments_in_cents)).toEqual([
    153_000, 153_000, 153_000,
  ]);
  expect(preview.changes).toEqual([
    { field: 'fee_in_cents', now: 30_00, new: 45_00 },
    { field: 'installment_counts', now: [2, 3, 4], new: [2, 6] },
  ]);
  expect(describeResult(request, preview)).toMatchInlineSnapshot(`
    "$1500.00, due and split on 2027-01-01

    payments  now (default-2026-11)  new
    2         fee 30.00, APR 84.5 %  fee 45.00, APR 129.4 %
              2027-01-01  780.00     2027-01-01  795.00
              2027-01-19  750.00     2027-01-19  750.00
              total 1530.00          total 1545.00
    3         fee 30.00, APR 75.0 %  not offered
              2027-01-01  530.00
              2027-01-11  500.00
              2027-01-21  500.00
              total 1530.00
    4         fee 30.00, APR 70.9 %  not offered
              2027-01-01  405.00
              2027-01-08  375.00
              2027-01-15  375.00
              2027-01-22  375.00
              total 1530.00
    6         not offered            fee 45.00, APR 86.6 %
                                     2027-01-01  295.00
                                     2027-01-06  250.00
                                     2027-01-11  250.00
                                     2027-01-19  250.00
                                     2027-01-21  250.00
                                     2027-01-26  250.00
                                     total 1545.00

    field               now      new
    fee_in_cents        3000     4500
    installment_counts  [2,3,4]  [2,6]

    states     terms            limits                     $800.00                             $1500.00                         $2500.00
    TX         new              offered, any APR, any fee  2: 257.0 %, 6: 166.6 %              2: 129.4 %, 6: 86.6 %            2: 75.7 %, 6: 51.4 %
    55 others  default-2026-11  offered, any APR, any fee  2: 164.4 %, 3: 144.1 %, 4: 135.7 %  2: 84.5 %, 3: 75.0 %, 4: 70.9 %  2: 49.9 %, 3: 44.5 %, 4: 42.2 %
    For each number of payments, the APR of a balance that is due and split on that day.
    "
  `);
  // A tenth of it is less than the fee of $45.
  const tooSmall = { ...request, amount_in_cents: 449_99 };
  expect(describeResult(tooSmall, await run(tooSmall))).toContain(
    'Nothing is offered under the terms "new": amount_below_minimum.',
  );
  const list = await run({ command: 'terms list', pms: partner.pms });
  expect(list).toEqual({ items: [] });
});

test('an applied version is listed and shown, and is in the operator’s audit log', async () => {
  const partner = await svc.newPartner();
  const request = { command: 'terms list', pms: partner.pms } as const;
  const { version, sha256 } = await apply(
    { fee_in_cents: 10_00 },
    { pms: partner.pms, state: 'Texas', effective: '2027-01-01' },
  );
  const list = await run(request);
  expect(list).toMatchObject({
    items: [{ version, state: 'TX', effective_from: '2027-01-01', sha256, created_by: 'ops-ada' }],
  });
  expect(describeResult(request, list)).toContain(`2027-01-01      ${partner.pms}`);
  const show = { command: 'terms show', version } as const;
  const shown = describeResult(show, await run(show));
  expect(JSON.parse(shown)).toEqual({ ...builtInTerms, fee_in_cents: 10_00 });
  const usual = { command: 'terms show', version: 'default' } as const;
  expect(JSON.parse(describeResult(usual, await run(usual)))).toEqual(builtInTerms);
  expect(await operatorEntry(version)).toMatchObject({
    action: 'terms.applied',
    details: { reason: 'a test', pms: partner.pms, state: 'TX', effective_from: '2027-01-01' },
  });
  const { oldest } = await oneRowOf<{ oldest: string }>(
    svc.db,
    sql`select oldest_service as oldest from svc_migration where name like '%program_terms'`,
  );
  expect(oldest).toBe('0.3.0');
});

test.each<[string, object, string]>([
  ['a day that has begun', { effective: '2026-01-21' }, 'The earliest day is'],
  ['an unknown partner', { pms: 'no-portal' }, 'There is no partner no-portal.'],
  ['an unknown state', { state: 'Ontario' }, 'There is no state "Ontario". Pass its postal code'],
  ['a wrong field', { terms: { ...builtInTerms, days_apart: 'x' } }, 'days_apart: must be a whole'],
])('terms for %s are refused, and nothing is stored', async (_, change, message) => {
  const before = await rowsOf(svc.db, sql`select version from program_terms`);
  const request = { terms: builtInTerms, effective: '2027-01-01', ...change };
  await expect(run({ command: 'terms apply', ...request })).rejects.toThrow(message);
  expect(await rowsOf(svc.db, sql`select version from program_terms`)).toEqual(before);
  await expect(run({ command: 'terms show', version: 'trm_0' })).rejects.toThrow(
    'There are no terms trm_0.',
  );
});

test('the command line reads the file, prints what is wrong with it, and applies it', async () => {
  const { target, drop } = await serviceTarget();
  const folder = await mkdtemp(join(tmpdir(), 'svc-terms-'));
  const file = join(folder, 'terms.json');
  const settings = {
    ...('dataDir' in target ? {} : { DATABASE_URL: target.url }),
    SVC_DATA_DIR: 'dataDir' in target ? target.dataDir : folder,
    SVC_LOG_LEVEL: 'error',
  };
  const cli = (...args: string[]) => runEntry('cli', { settings, args }).end();
  try {
    const shown = await cli('terms', 'show', 'default', '--create-database');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const terms = { ...JSON.parse(shown.stdout), fee_in_cents: 10_00 };
    await writeFile(file, JSON.stringify(terms));
    const preview = ['terms', 'preview', '--file', file, '--amount', '150000'];
    expect((await cli(...preview)).stdout).toContain('fee_in_cents  3000  1000');
    const apply = ['terms', 'apply', '--file', file, '--reason', 'cheaper', '--effective'];
    const applied = await cli(...apply, '2099-01-01');
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^trm_\w+ is in effect from 2099-01-01 on, for all partners/),
    });
    expect((await cli('terms', 'list')).stdout).toMatch(/2099-01-01 +all +all +trm_.* cheaper/);
    await writeFile(file, JSON.stringify({ ...terms, fee_in_cents: 'ten' }));
    expect(await cli(...apply, '2099-02-01')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('  fee_in_cents: must be a whole number of cents from 0 to'),
    });
  } finally {
    await drop();
    await rm(folder, { recursive: true });
  }
}, 60_000);
