import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { deleteExpired } from '../src/jobs/delete-expired.ts';
import { retentionLane } from '../src/jobs/delete-retained.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { readPersonal } from './read-personal.ts';
import { openOperatorSession, signInOperator } from './support/sign-in-operator.ts';

// The data that is left of tenants after the months that the operator has set.

const svc = await useService({}, '2026-02-01T18:00:00Z');
const partner = await svc.newPartner();
const { key, pms } = partner;

const monthMs = 31 * 86_400_000;

/** Runs the jobs that delete, as if so many months had passed. */
async function deleteAfter(
  months: number,
  kept: { applicationMonths?: number; tenantMonths?: number },
): Promise<void> {
  const retention = { applicationMonths: null, tenantMonths: null, ...kept };
  const now = new Date(svc.clock.now().getTime() + months * monthMs);
  const clock = { now: () => now, after: () => () => {} };
  await deleteExpired({ db: svc.db, now, service: svc.service }, 1_000);
  const lane = retentionLane({ db: svc.db, clock, service: { ...svc.service, retention } });
  const stopping = new AbortController().signal;
  while ((await lane.batch(stopping)) > 0);
}

async function applyAs(externalId: string) {
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  return tenant;
}

function scenario(externalId: string, name: string) {
  return svc.call('POST', `/simulation/${externalId}/scenario`, { key, body: { scenario: name } });
}

async function withPaidPlan(externalId: string): Promise<void> {
  const tenant = await withPlan(svc, partner, externalId);
  await tenant.simulate('advance_clock', { by: 'P2M' });
  for (const status of ['unverified', 'verified']) {
    await svc.call('PATCH', `/settlements/${tenant.plan.settlement_id}`, { key, body: { status } });
  }
}

const tenantIds = async () =>
  (
    await rowsOf<{ id: string }>(
      svc.db,
      sql`
      select external_id as id from tenant where partner_id = ${partner.id} order by external_id`,
    )
  ).map(({ id }) => id);

const ledger = () =>
  oneRowOf(
    svc.db,
    sql`select count(*)::int as entries, sum(abs(amount_in_cents))::text as cents from ledger_entry`,
  );

test('tenants are erased once nothing has happened for so long, and money stays', async () => {
  await withPaidPlan('t-paid');
  await withPlan(svc, partner, 't-open');
  expect((await scenario('t-owes', 'charged_off')).status).toBe(200);
  await svc.call('POST', '/tenant/portal_info/t-never', { key, body: ada });
  const everyone = ['t-never', 't-open', 't-owes', 't-paid'];
  const before = await ledger();

  await deleteAfter(60, {});
  await deleteAfter(24, { tenantMonths: 25 });
  expect(await tenantIds()).toEqual(everyone);

  await deleteAfter(40, { tenantMonths: 25 });
  const left = await tenantIds();
  expect(left.filter((id) => id.startsWith('t-'))).toEqual(['t-open', 't-owes']);
  expect(left.filter((id) => id.startsWith('erased_'))).toHaveLength(2);
  expect(await ledger()).toEqual(before);
  const entries = await svc.administer({ command: 'audit list', action: 'tenant.erased' });
  expect(JSON.stringify(entries)).toContain('t-paid');
});

test('what old applications state is deleted, and their outcome stays', async () => {
  await svc.call('POST', '/simulation/t-declined/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_DECLINED' },
  });
  await applyAs('t-declined');
  const read = () =>
    oneRowOf<{ income: number; state: string; reasons: string[]; facts: object }>(
      svc.db,
      sql`
      select a.monthly_income_in_cents as income, a.state, d.reasons, d.facts
      from application a join decision d on d.partner_id = a.partner_id and d.application_id = a.id
        join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
      where t.external_id = 't-declined'`,
    );
  const stated = await read();
  expect(stated.income).toBe(500_000);
  await deleteAfter(24, { applicationMonths: 25 });
  expect(await read()).toEqual(stated);
  await deleteAfter(27, { applicationMonths: 25 });
  const { state, reasons } = stated;
  expect(await read()).toEqual({ income: 0, state, reasons, facts: {} });
  // The tenant is still there, and types everything again.
  expect(await readPersonal(svc, 't-declined')).toMatchObject({ firstName: ada.first_name });
});

test('sessions of the operator’s console are deleted a month after their end, except for the last one', async () => {
  const person = await signInOperator(svc, { role: 'support' });
  svc.clock.advance(1_000);
  const { url } = await linkFor(person.operatorId);
  await openOperatorSession(svc, url);
  const sessions = () =>
    rowsOf<{ id: string }>(
      svc.db,
      sql`select id from operator_session where operator_id = ${person.operatorId} order by id`,
    );
  const before = await sessions();
  expect(before).toHaveLength(2);
  await deleteAfter(0.9, {});
  expect(await sessions()).toEqual(before);
  await deleteAfter(1, {});
  expect(await sessions()).toEqual(before.slice(1));
});

async function linkFor(operator_id: string): Promise<{ url: string }> {
  const answer = await svc.administer(
    { command: 'operator link', operator_id },
    { breakGlass: true },
  );
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as { url: string };
}
