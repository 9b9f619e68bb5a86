import { createHmac } from 'node:crypto';
import { sql } from '@svc/db';
import { maybeRowOf, oneRowOf } from '@svc/db/testing';
import { afterAll, expect, test } from 'vitest';
import type { WaitingReview } from '../src/domain/applications/review-queue.ts';
import type { Listed } from '../src/domain/listed.ts';
import { administer, type OperatorRequest } from '../src/operator/administer.ts';
import type { AuditLine } from '../src/operator/list-audit-log.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { json, startDecisionDouble } from './support/decision-double.ts';

const { asked, answers, underwriting, close } = await startDecisionDouble();
afterAll(close);
const svc = await useService({ underwriting }, '2026-02-01T18:00:00Z');
const partner = await svc.newPartner();

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

async function run(request: OperatorRequest, user = 'anna'): Promise<object> {
  const answer = await administer({ ...svc, log: quiet }, request, { user, reason: 'a test' });
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

async function applyAs(externalId: string) {
  const { key, pms } = partner;
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  const applied = await tenant.apply();
  return {
    ...tenant,
    applied,
    count: () => asked.filter((it) => it.body.external_id === externalId).length,
  };
}

/** Advances the clock, which runs the job that asks the service, until the expectation holds. */
function eventually<T>(read: () => Promise<T>) {
  return expect.poll(
    () => {
      svc.clock.advance(1_000);
      return read();
    },
    { timeout: 20_000 },
  );
}

function decisionOf(externalId: string) {
  return maybeRowOf<{
    outcome: string;
    reasons: string[];
    policy_version: string;
    facts: object;
  }>(
    svc.db,
    sql`
      select d.outcome, d.reasons, d.policy_version, d.facts from decision d
      join application a on a.partner_id = d.partner_id and a.id = d.application_id join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
      where t.external_id = ${externalId}`,
  );
}

test('an approval comes from the service: signed request, limited amount, facts and version stored', async () => {
  const tenant = await applyAs('t-approved');
  expect(tenant.applied.data.step).toBe('decision');
  await eventually(async () => (await tenant.state()).data.step).toBe('plan_choice');
  const question = asked.find((it) => it.body.external_id === 't-approved');
  if (!question) expect.unreachable('the service was not asked');
  const { headers, raw, body } = question;
  const at = Number(headers['webhook-timestamp']);
  expect(Math.abs(at * 1000 - svc.clock.now().getTime())).toBeLessThan(120_000);
  const mac = createHmac('sha256', Buffer.alloc(32, 7));
  const signature = mac.update(`${headers['webhook-id']}.${at}.${raw}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  expect(headers['webhook-id']).toBe(body.application_id);
  expect(body.facts).toMatchObject({ amount_in_cents: 152_012, monthly_income_in_cents: 500_000 });
  const decision = await decisionOf('t-approved');
  expect(decision).toMatchObject({ outcome: 'approved', policy_version: 'p-1' });
  expect(decision?.facts).toEqual({ ...body.facts, terms_version: 'default-2026-11' });
  expect((await tenant.quotes()).data.items[0].disclosure).toBeNull();
  await tenant.pay();
  expect((await tenant.quotes()).data.items[0].disclosure.text).toContain('0000');
});

test('a decline shows the reasons to the tenant but not to the partner', async () => {
  answers.set(
    't-declined',
    json({ outcome: 'declined', policy_version: 'p-1', reasons: ['income_too_low'] }),
  );
  const tenant = await applyAs('t-declined');
  await eventually(async () => (await tenant.state()).data.step).toBe('declined');
  const { notice } = (await tenant.state()).data;
  expect(notice.reason_codes).toEqual(['income_too_low']);
  const { name, address } = svc.service.creditor;
  expect(notice.creditor).toBe(`${name}, ${address}`);
  const { body } = await oneRowOf<{ body: string }>(
    svc.db,
    sql`
    select body::text from webhook_messages
    where subject = 't-declined' and type = 'application.declined'`,
  );
  expect(body).not.toContain('income');
});

test('a person takes an application from the queue and decides it, and the service is not asked again', async () => {
  answers.set('t-person', json({ error: 'down' }, 503));
  answers.set('t-refused', json({ outcome: 'in_review', policy_version: 'p-1' }));
  const tenant = await applyAs('t-person');
  const refused = await applyAs('t-refused');
  const find = async (externalId: string) => {
    const { items } = (await run({ command: 'review list' })) as Listed<WaitingReview>;
    return items.find((it) => it.external_id === externalId);
  };
  await eventually(async () => (await find('t-person'))?.last_failure).toBe('answered 503');
  const waiting = await find('t-person');
  expect(waiting).toMatchObject({ taken_by: null, facts: { amount_in_cents: 152_012 } });
  const about = { application_id: waiting?.application_id ?? '' };
  await run({ command: 'review take', ...about }, 'anna');
  await expect(run({ command: 'review take', ...about }, 'ben')).rejects.toThrow(
    `anna has taken ${about.application_id}. To take it over, pass --from anna.`,
  );
  await run({ command: 'review take', ...about, from: 'anna' }, 'ben');
  const questions = asked.length;
  svc.clock.advance(600_000);
  expect(await find('t-person')).toMatchObject({ taken_by: 'ben' });
  // More than the terms allow.
  await run({ command: 'review decide', ...about, amount_in_cents: 9_000_00 }, 'ben');
  expect(await decisionOf('t-person')).toMatchObject({
    outcome: 'approved',
    policy_version: 'person',
  });
  expect((await tenant.state()).data).toMatchObject({
    step: 'plan_choice',
    application: { approved_amount_in_cents: 5_000_00 },
  });
  expect(asked.slice(questions).some((it) => it.body.external_id === 't-person')).toBe(false);
  await expect(
    run({ command: 'review decide', ...about, decline: ['unable_to_verify'] }),
  ).rejects.toThrow('There is no application');

  const other = (await find('t-refused'))?.application_id ?? '';
  const decline = ['unable_to_verify', 'income_too_low'] as const;
  await run({ command: 'review decide', application_id: other, decline });
  expect((await refused.state()).data).toMatchObject({
    step: 'declined',
    notice: { reason_codes: decline },
  });
  const { items } = (await run({ command: 'audit list', pms: 'operator' })) as Listed<AuditLine>;
  expect(items.map((it) => it.action)).toEqual(
    expect.arrayContaining(['review.taken', 'review.decided']),
  );
});

test('without a decision the application stays in review until the service decides', async () => {
  answers.set('t-late', json({ error: 'down' }, 503));
  const tenant = await applyAs('t-late');
  const failure = async () =>
    (
      await maybeRowOf<{ last_failure: string | null }>(
        svc.db,
        sql`
        select r.last_failure from review r join application a on a.partner_id = r.partner_id and a.id = r.application_id
        join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id where t.external_id = 't-late'`,
      )
    )?.last_failure;
  await eventually(failure).toBe('answered 503');
  expect((await tenant.state()).data.step).toBe('decision');
  expect(await decisionOf('t-late')).toBeUndefined();
  answers.delete('t-late');
  svc.clock.advance(30_000);
  await eventually(async () => (await tenant.state()).data.step).toBe('plan_choice');
  expect(tenant.count()).toBeGreaterThan(1);
});

test('a simulated result overrides the service, which is not asked', async () => {
  await svc.call('POST', '/simulation/t-fixed/set_underwriting_result', {
    key: partner.key,
    body: { underwriting_result: 'WILL_BE_DECLINED' },
  });
  const tenant = await applyAs('t-fixed');
  expect(tenant.applied.data.step).toBe('declined');
  expect(await decisionOf('t-fixed')).toMatchObject({ policy_version: 'simulation' });
  expect(tenant.count()).toBe(0);
});

test('a result set during a review ends the review and applies to the next application', async () => {
  answers.set('t-refixed', json({ outcome: 'in_review', policy_version: 'p-1' }));
  const tenant = await applyAs('t-refixed');
  await eventually(async () => tenant.count()).toBeGreaterThan(0);
  await svc.call('POST', '/simulation/t-refixed/set_underwriting_result', {
    key: partner.key,
    body: { underwriting_result: 'WILL_BE_APPROVED' },
  });
  expect((await tenant.state()).data.step).toBe('offer');
  await tenant.apply();
  expect((await tenant.pay()).data.step).toBe('plan_choice');
});
