import { readFile } from 'node:fs/promises';
import type { SvcEnvironment } from '@svc/contract';
import { raw, sql } from '@svc/db';
import { expect, onTestFinished, test } from 'vitest';
import { recordPortalInfo } from '../src/domain/intake/record-portal-info.ts';
import { lendingRemark } from '../src/domain/lending/lending-remark.ts';
import { setLendingRule } from '../src/domain/lending/set-lending-rule.ts';
import { previewTerms } from '../src/domain/offers/preview-terms.ts';
import { defaultTerms } from '../src/domain/partners/terms.ts';
import type { OperatorRequest } from '../src/operator/administer.ts';
import { ada, type Running, startRunning, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { openStage } from './support/open-stage.ts';

const svc = await useService({}, '2026-02-01T18:00:00Z');

async function administer(request: OperatorRequest, of: Pick<Running, 'administer'>) {
  const answer = await of.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

const run = (request: OperatorRequest) => administer(request, svc);

const homeIn = (state: string | null) => ({
  ...ada,
  lease: { ...ada.lease, property: { ...ada.lease.property, state } },
});

test('production offers a plan only in a listed state, once the APR is decided', async () => {
  const stage = await openStage({
    environment: 'production',
    now: '2026-02-01T18:00:00Z',
    processor: (simulator) => simulator,
  });
  onTestFinished(() => stage.close());
  const partner = await stage.newPartner();
  const charges = ada.charges.map(({ id, due_date, amount_in_cents }) => ({
    id,
    due_date,
    amount_in_cents,
    amount_paid_in_cents: 0,
  }));
  const report = (external_id: string, state: string | null) =>
    stage.run(partner, (ctx) =>
      recordPortalInfo(ctx, {
        external_id,
        input: { ...homeIn(state), charges },
        dry_run: false,
      }),
    );
  const decide = (rule: object, state?: string) =>
    stage.run({ kind: 'system' }, (ctx) =>
      setLendingRule(ctx, { rule, user: 'counsel', reason: 'test', ...(state && { state }) }),
    );
  expect(await report('t-1', 'TX')).toMatchObject({
    eligibility: { state: 'blocked', reason: 'not_offered_in_state' },
    warnings: [{ code: 'not_offered_in_state', param: 'lease.property.state' }],
  });
  await decide({ offered: true }, 'TX');
  expect((await report('t-1', 'TX')).eligibility.reason).toBe('not_offered_in_state');
  const groupOf = async (state: string) => {
    const { source: terms } = defaultTerms;
    const preview = await stage.run({ kind: 'system' }, (ctx) =>
      previewTerms(ctx, { terms, amount_in_cents: 150_000 }),
    );
    return preview.states.find((it) => it.states.includes(state));
  };
  expect(await groupOf('TX')).toMatchObject({ offered: false, needs_apr_limit: true });
  expect(await groupOf('NY')).toMatchObject({ offered: false, needs_apr_limit: false });
  await decide({ maximum_apr_bps: null });
  expect(await groupOf('TX')).toMatchObject({ offered: true, needs_apr_limit: false });
  expect(await report('t-1', 'texas')).toMatchObject({
    eligibility: { state: 'can_apply' },
    warnings: [],
  });
  expect((await report('t-2', 'NY')).eligibility.reason).toBe('not_offered_in_state');
  expect(await report('t-3', 'Nowhere')).toMatchObject({
    eligibility: { state: 'blocked', reason: 'state_unknown' },
    warnings: [{ code: 'state_unknown', param: 'lease.property.state' }],
  });
});

test('quotes above the limit of the state are not offered, nor accepted any more', async () => {
  const { key, pms } = await svc.newPartner();
  await svc.call('POST', '/simulation/t-cap/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const report = () =>
    svc.call('POST', '/tenant/portal_info/t-cap', { key, body: homeIn('Vermont') });
  const who = { pms, apiKey: key, externalId: 't-cap', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, (await report()).data.token, who);
  await tenant.apply();
  await tenant.pay();
  const all = (await tenant.quotes()).data.items;
  const rates = all.map((it: { apr_bps: number }) => it.apr_bps);
  const middle = rates.toSorted((a: number, b: number) => a - b)[1];
  await run({
    command: 'lending set',
    state: 'VT',
    maximum_apr_bps: middle,
    license: 'Vermont license 7',
  });
  const left = (await tenant.quotes()).data.items;
  expect(left.map((it: { apr_bps: number }) => it.apr_bps)).toEqual(
    rates.filter((it: number) => it <= middle),
  );
  expect(left[0].disclosure.text).toContain('Lender’s license: Vermont license 7');
  const above = all.find((it: { apr_bps: number }) => it.apr_bps > middle);
  expect(await tenant.accept(above)).toMatchObject({
    status: 404,
    error: { code: 'quote_not_found' },
  });
  expect((await tenant.state()).data.terms).toMatchObject({
    installment_counts: left.map((it: { installment_count: number }) => it.installment_count),
    lender_license: 'Vermont license 7',
  });

  await run({ command: 'lending set', state: 'VT', maximum_fee_in_cents: 20_00 });
  expect((await tenant.state()).data).toMatchObject({
    step: 'blocked',
    eligibility: { state: 'blocked', reason: 'cost_above_limit' },
    tenant: { home_state: 'Vermont' },
  });
  expect(await tenant.accept(left[0])).toMatchObject({ status: 409 });
  expect((await report()).data).toMatchObject({
    eligibility: { reason: 'cost_above_limit' },
    warnings: [{ code: 'cost_above_limit' }, { code: 'precheck_blocks:cost_above_limit' }],
  });
});

test('closing a state leaves its plans alone, and tells the portal about its other tenants', async () => {
  const partner = await svc.newPartner();
  const { externalId } = await withPlan(svc, partner, 't-stays');
  await run({ command: 'lending set', pms: partner.pms, offered: 'no' });
  const { data } = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key: partner.key,
    body: ada,
  });
  expect(data.eligibility).toMatchObject({ state: 'has_plan' });
  const other = await svc.call('POST', '/tenant/portal_info/t-other', {
    key: partner.key,
    body: ada,
  });
  expect(other.data.eligibility).toMatchObject({
    state: 'blocked',
    reason: 'not_offered_in_state',
  });
});

test('an upgrade lists the states with plans of the last year, until the operator confirms them', async () => {
  const upgraded = await startRunning({}, '2026-02-01T18:00:00Z');
  onTestFinished(() => upgraded.close());
  const { db } = upgraded;
  const partner = await upgraded.newPartner();
  const { key } = partner;
  for (const [externalId, state] of [
    ['t-1', ' vermont'],
    ['t-2', 'VT'],
    ['t-3', 'N. Dakota'],
  ] as const) {
    await withPlan(upgraded, partner, externalId);
    await upgraded.call('POST', `/tenant/portal_info/${externalId}`, { key, body: homeIn(state) });
  }
  // The migration compares it with the database's own time.
  await db.run(sql`update plan set created_at = now()`);
  const migration = new URL('../migrations/0077_lending_rules.sql', import.meta.url);
  const file = await readFile(migration, 'utf8');
  await db.run(raw(file.slice(file.indexOf('insert into lending_rule'))));
  const remark = (environment: SvcEnvironment) =>
    lendingRemark(db, { environment, now: new Date() });
  const list = async () =>
    (await administer({ command: 'lending list' }, upgraded)) as { items: object[] };
  expect(await list()).toMatchObject({
    items: [{ state: 'VT', rule: { offered: true, maximum_apr_bps: null }, unconfirmed: true }],
  });
  expect(await remark('sandbox')).toBe(null);
  expect(await remark('production')).toMatch(/carried over these states.*: Vermont\. /);
  const confirm = { command: 'lending confirm' } as const;
  expect(await administer(confirm, upgraded)).toEqual({ states: ['VT'] });
  expect(await administer(confirm, upgraded)).toEqual({ states: [] });
  expect(await remark('production')).toBe(null);
  await expect(db.run(sql`delete from lending_rule`)).rejects.toThrow('lending rules never change');
});

test('the start names the states that are listed without a decision on the APR', async () => {
  const empty = await startRunning({}, '2026-02-01T18:00:00Z');
  onTestFinished(() => empty.close());
  const set = (input: object) =>
    administer({ command: 'lending set', ...input } as OperatorRequest, empty);
  const remark = () =>
    lendingRemark(empty.db, { environment: 'production', now: empty.clock.now() });
  expect(await remark()).toMatch(/^No state is listed/);
  await set({ state: 'TX', offered: 'yes' });
  await set({ state: 'UT', offered: 'yes', maximum_apr_bps: 3_600 });
  // A limit elsewhere decides nothing in Texas.
  expect(await remark()).toMatch(/no limit on the APR is set there.*: Texas\. /);
  await set({ state: 'TX', maximum_apr_bps: null });
  expect(await remark()).toBe(null);
  await set({ offered: 'no' });
  expect(await remark()).toMatch(/^No state is listed/);
});

test('a rule keeps what it does not change, and wrong input says what to do', async () => {
  const set = (input: object) => run({ command: 'lending set', ...input } as OperatorRequest);
  await set({ state: 'Utah', offered: 'yes', maximum_apr_bps: 3_600 });
  expect(await set({ state: 'UT', maximum_fee_in_cents: 25_00 })).toMatchObject({
    state: 'UT',
    rule: { offered: true, maximum_apr_bps: 3_600, maximum_fee_in_cents: 25_00 },
  });
  await set({ state: 'UT', license: 'Utah license 5' });
  expect(await set({ state: 'UT', license: null })).toMatchObject({
    rule: { offered: true, license: null },
  });
  await expect(set({ state: 'Atlantis', offered: 'no' })).rejects.toThrow(
    'There is no state "Atlantis"',
  );
  await expect(set({ pms: 'nowhere', offered: 'no' })).rejects.toThrow(
    'There is no partner nowhere.',
  );
  await expect(set({ offered: 'no', effective: '2026-01-02' })).rejects.toThrow(
    '2026-01-02 is in the past. The earliest day is 2026-02-01.',
  );
});
