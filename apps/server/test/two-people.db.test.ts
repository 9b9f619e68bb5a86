import type { Database } from '@svc/db';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { PartnerActor } from '../src/domain/access/actor.ts';
import {
  type Answer,
  administer,
  describeResult,
  type OperatorRequest,
} from '../src/operator/administer.ts';
import type { Operator } from '../src/operator/record-by-operator.ts';
import type { Manner } from '../src/operator/run-once.ts';
import { playPayments } from './payments/play-payments.ts';
import { openStage, type Stage } from './support/open-stage.ts';

const anna: Operator = { user: 'anna', reason: 'the tenant has called' };
const ben: Operator = { user: 'ben' };
const limits = { everyone_in_cents: 10_000, by_role: { finance: 30_000 } };

let stage: Stage;
let partner: PartnerActor;
let tenants = 0;

beforeEach(async () => {
  await stage?.close();
  stage = await openStage({ now: '2026-02-02T15:00:00Z', approvals: limits });
  partner = await stage.newPartner();
});
afterAll(() => stage.close());

test('below the limit one person refunds, and above it nothing is done until another one approves', async () => {
  const payment = await newPayment();
  expect(await refund(payment, 4_000)).toMatchObject({ ok: true });

  const asked = await refund(payment, 6_001);
  expect(asked).toMatchObject({
    ok: false,
    message: expect.stringMatching(
      /^Nothing is done yet: a second person must approve apr_\w{26} until 2026-02-05 15:00 UTC/,
    ),
  });
  expect(await refundedOf(payment)).toBe(4_000);

  const id = approvalOf(asked);
  expect(await approve(id, anna)).toMatchObject({
    ok: false,
    message: `You have requested ${id} yourself. Another person must decide.`,
  });
  expect(resultOf(await approve(id, ben))).toMatchObject({
    command: 'payment refund',
    requested_by: 'anna',
    result: { amount_in_cents: 6_001 },
    summary: expect.stringContaining('$60.01'),
  });
  expect(await refundedOf(payment)).toBe(10_001);
  expect(await approve(id, ben)).toMatchObject({
    ok: false,
    message: `ben has approved ${id} at 2026-02-02T15:00:00.000Z.`,
  });
  expect(await auditOf('payment.refunded')).toMatchObject([
    { by: 'anna', details: { reason: 'the tenant has called' } },
    { by: 'anna', details: { reason: 'the tenant has called', approved_by: 'ben' } },
  ]);
  expect(await auditOf('approval.requested')).toMatchObject([{ by: 'anna' }]);
  expect(await auditOf('approval.approved')).toMatchObject([
    { by: 'ben', details: { command: 'payment refund', requested_by: 'anna' } },
  ]);
});

test('parts of an amount count together for 24 hours, also at once, and for each person', async () => {
  const payment = await newPayment();
  const both = await Promise.all([refund(payment, 6_000), refund(payment, 6_000)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await refund(payment, 6_000, { ...anna, user: 'cora' })).toMatchObject({ ok: true });

  stage.clock.now = new Date(stage.clock.now.getTime() + 24 * 3_600_000 - 1);
  expect(await refund(payment, 4_001)).toMatchObject({ ok: false });
  stage.clock.now = new Date(stage.clock.now.getTime() + 1);
  expect(await refund(payment, 4_001)).toMatchObject({ ok: true });
});

test('a role can have a limit that differs from the others', async () => {
  const payment = await newPayment();
  expect(await refund(payment, 10_001, { ...anna, role: 'admin' })).toMatchObject({ ok: false });
  expect(await refund(payment, 30_000, { ...anna, role: 'finance' })).toMatchObject({ ok: true });
});

test('two approvals at once run the command once', async () => {
  const payment = await newPayment();
  const id = approvalOf(await refund(payment, 20_000));
  const both = await Promise.all([approve(id, ben), approve(id, { user: 'cora' })]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await refundedOf(payment)).toBe(20_000);
});

test('a request is refused if the command would now do something else', async () => {
  const payment = await newPayment();
  const id = approvalOf(
    await administerBy(anna, { command: 'payment refund', payment_id: payment, all: true }),
  );
  expect(await refund(payment, 1_000)).toMatchObject({ ok: true });
  expect(await approve(id, ben)).toMatchObject({
    ok: false,
    message: expect.stringMatching(
      /^What apr_\w+ would do has changed since it was requested: amount_in_cents 41003, .* then, amount_in_cents 40003, .* now\./,
    ),
  });
  expect(await refundedOf(payment)).toBe(1_000);
});

test('a request expires after 72 hours, and repeating the command keeps it open', async () => {
  const payment = await newPayment();
  const id = approvalOf(await refund(payment, 20_000));
  stage.clock.now = new Date(stage.clock.now.getTime() + 71 * 3_600_000);
  expect(approvalOf(await refund(payment, 20_000))).toBe(id);
  stage.clock.now = new Date(stage.clock.now.getTime() + 72 * 3_600_000);
  expect(await approve(id, ben)).toMatchObject({
    ok: false,
    message: `${id} has expired at 2026-02-08T14:00:00.000Z. Run the command again to request it.`,
  });
});

test('a refused request names who refused it and is not done', async () => {
  const payment = await newPayment();
  const id = approvalOf(await refund(payment, 20_000));
  const refuse = (by: Operator) =>
    administerBy(by, { command: 'approval refuse', approval_id: id });
  expect(await refuse({ ...anna })).toMatchObject({ ok: false });
  expect(resultOf(await refuse({ ...ben, reason: 'not our mistake' }))).toMatchObject({
    approval_id: id,
    requested_by: 'anna',
  });
  expect(await approve(id, { user: 'cora' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('ben has refused'),
  });
  const request = { command: 'approval list', all: true } as const;
  const result = resultOf(await administerBy(ben, request)) as { items: object[] };
  expect(result.items).toMatchObject([{ id, state: 'refused', answer: 'not our mistake' }]);
  // A running service sends it to the command line as JSON.
  expect(describeResult(request, JSON.parse(JSON.stringify(result)))).toContain(
    '2026-02-02 15:00 UTC',
  );
});

test('with an idempotency key, a repeated command finds the request, and later its result', async () => {
  const payment = await newPayment();
  const manner = { idempotencyKey: 'ticket 12' };
  const id = approvalOf(await refund(payment, 20_000, anna, manner));
  expect(approvalOf(await refund(payment, 20_000, anna, manner))).toBe(id);
  expect(await approve(id, ben)).toMatchObject({ ok: true });
  expect(await refund(payment, 20_000, anna, manner)).toMatchObject({
    ok: true,
    doneAt: '2026-02-02T15:00:00.000Z',
  });
  expect(await refundedOf(payment)).toBe(20_000);
});

test('a dry run says whether a second person is needed, and a broken glass leaves a trace', async () => {
  const payment = await newPayment();
  for (const [amount, needsApproval] of [
    [20_000, true],
    [9_000, false],
    // A dry run does not count against the limit.
    [9_000, false],
  ] as const) {
    const dry = await refund(payment, amount, anna, { dryRun: true });
    expect(dry).toMatchObject({ ok: true, needsApproval });
  }
  expect(await refundedOf(payment)).toBe(0);
  expect(await refund(payment, 20_000, anna, { breakGlass: true })).toMatchObject({ ok: true });
  expect(await refundedOf(payment)).toBe(20_000);
  expect(await auditOf('approval.bypassed')).toMatchObject([
    { by: 'anna', details: { command: 'payment refund', reason: 'the tenant has called' } },
  ]);
});

test('keys, terms and erasing a tenant always need a second person', async () => {
  const erased = await administerBy(anna, {
    command: 'tenant erase',
    pms: partner.pms,
    external_id: await newTenant(false),
  });
  const key = await administerBy(anna, { command: 'key create', pms: partner.pms });
  for (const asked of [erased, key])
    expect(await approve(approvalOf(asked), ben)).toMatchObject({ ok: true });
  const keys = await rowsOf(stage.plain, sql`select from api_key`);
  expect(keys).toHaveLength(2);
  // The key is in the answer to the approval, and not stored.
  const stored = JSON.stringify(await rowsOf(stage.plain, sql`select * from approval`));
  expect(stored).not.toMatch(/svc_sandbox_/);
});

test('the first partner and the first person of the console need no second person', async () => {
  await stage.close();
  stage = await openStage({ now: '2026-02-02T15:00:00Z', approvals: limits });
  Object.assign(stage.service, { operatorOrigin: 'http://localhost:4000' });
  const invite = (name: string) =>
    administerBy(anna, { command: 'operator invite', name, role: 'admin' });
  expect(await administerBy(anna, { command: 'partner create', pms: 'oak' })).toMatchObject({
    ok: true,
  });
  expect(await administerBy(anna, { command: 'partner create', pms: 'elm' })).toMatchObject({
    ok: false,
  });
  expect(await invite('Olga')).toMatchObject({ ok: true });
  expect(await invite('Omar')).toMatchObject({ ok: false });
});

test('a command of several transactions is compared with what it was requested on', async () => {
  const set = (by: Operator, fee: number) =>
    administerBy(by, { command: 'lending set', maximum_fee_in_cents: fee, state: 'TX' });
  const [first, second] = [await set(anna, 2_000), await set(anna, 1_500)].map(approvalOf);
  expect(await approve(first ?? '', ben)).toMatchObject({ ok: true });
  expect(await approve(second ?? '', ben)).toMatchObject({
    ok: false,
    message: expect.stringContaining(
      'has changed since it was requested: rule null then, rule lnr_',
    ),
  });
  const rules = await rowsOf<{ fee: number }>(
    stage.plain,
    sql`select (rule ->> 'maximum_fee_in_cents')::int as fee from lending_rule where state = 'TX'`,
  );
  expect(rules).toEqual([{ fee: 2_000 }]);
  const [{ state } = { state: '' }] = await rowsOf<{ state: string }>(
    stage.plain,
    sql`select state from approval where id = ${first ?? ''}`,
  );
  expect(state).toBe('done');
});

function administerBy(
  by: Operator,
  request: OperatorRequest,
  manner: Manner = {},
): Promise<Answer> {
  const { db, service } = stage as Stage & { db: Database };
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const commands = { db, clock, vault: service.vault, service };
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  return administer({ commands, service, log: quiet, revoked: () => {} }, request, by, manner);
}

function refund(payment_id: string, amount_in_cents: number, by = anna, manner: Manner = {}) {
  return administerBy(by, { command: 'payment refund', payment_id, amount_in_cents }, manner);
}

function approve(approval_id: string, by: Operator): Promise<Answer> {
  return administerBy(by, { command: 'approval approve', approval_id });
}

function approvalOf(answer: Answer): string {
  const id = answer.ok ? undefined : answer.approvalId;
  if (id === undefined) throw new Error(`No request: ${JSON.stringify(answer)}`);
  return id;
}

function resultOf(answer: Answer): object {
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

async function newTenant(accepts = true): Promise<string> {
  tenants += 1;
  const play = playPayments(stage, partner);
  const tenant = await play.toPlanChoice(`t-${tenants}`);
  if (accepts) await play.accept(tenant);
  return `t-${tenants}`;
}

/** A succeeded payment of $410.03. */
async function newPayment(): Promise<string> {
  await newTenant();
  const { id } = await oneRowOf<{ id: string }>(
    stage.plain,
    sql`select id from payment order by id desc limit 1`,
  );
  return id;
}

async function refundedOf(payment: string): Promise<number> {
  const { total } = await oneRowOf<{ total: number }>(
    stage.plain,
    sql`select coalesce(sum((details ->> 'amount_in_cents')::int), 0)::int as total from audit_entry
      where action = 'payment.refunded' and subject_id = ${payment}`,
  );
  return total;
}

function auditOf(action: string) {
  return rowsOf<{ by: string; details: object }>(
    stage.plain,
    sql`select credential_id as by, details from audit_entry where action = ${action} order by id`,
  );
}
