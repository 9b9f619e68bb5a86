import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import type { Listed } from '../src/domain/listed.ts';
import { tick } from '../src/jobs/tick.ts';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import type { AuditLine } from '../src/operator/list-audit-log.ts';
import { ada, useService } from './harness.ts';
import { playTenant, testAccount } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService({ metricsPort: 0 });
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const runTick = () => tick({ ...svc, log: quiet });

type Plan = Awaited<ReturnType<typeof withPlan>>;

const statesOf = async (plan: Plan) =>
  (await plan.read()).installments.map(({ state }: { state: string }) => state);
const paid = ['paid', 'paid', 'paid', 'paid'];
const waiting = ['paid', 'scheduled', 'scheduled', 'scheduled'];

async function run(request: OperatorRequest): Promise<Record<string, unknown>> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return { ...answer.result };
}

async function eventsOf(externalId: string): Promise<string[]> {
  const { types } = await oneRowOf<{ types: string[] }>(
    svc.db,
    sql`
    select coalesce(array_agg(type order by id), '{}') as types from webhook_messages
    where subject = ${externalId}`,
  );
  return types;
}

async function operatorEntries(): Promise<AuditLine[]> {
  const { items } = (await run({
    command: 'audit list',
    pms: 'operator',
  })) as unknown as Listed<AuditLine>;
  return [...items];
}

/** A tenant with a plan in another property and with a unique id. */
async function inProperty(
  partner: Awaited<ReturnType<typeof svc.newPartner>>,
  externalId: string,
  property: string,
): Promise<Plan> {
  const plan = await withPlan(svc, partner, externalId);
  await moveTo(property, { key: partner.key, externalId });
  return plan;
}

async function moveTo(
  property: string,
  { key, externalId }: { key: string; externalId: string },
): Promise<void> {
  const lease = { ...ada.lease, property: { ...ada.lease.property, id: property } };
  const path = `/tenant/portal_info/${externalId}`;
  expect(await svc.call('POST', path, { key, body: { ...ada, lease } })).toMatchObject({
    status: 200,
  });
}

test.each(['partner', 'property', 'tenant'] as const)(
  'a paused %s is not collected; after the resume, everything is, and no tenant is late',
  async (scope) => {
    const partner = await svc.newPartner();
    const { pms } = partner;
    const plan = await inProperty(partner, `t-${scope}`, 'P-1');
    const other = await inProperty(partner, `t-${scope}-other`, 'P-2');
    const of = {
      partner: { pms },
      property: { pms, property: 'P-1' },
      tenant: { pms, tenant: `t-${scope}` },
    }[scope];
    expect(await run({ command: 'collections pause', ...of })).toEqual({ changed: true });
    expect(await run({ command: 'collections pause', ...of })).toEqual({ changed: false });
    // The tenant's screen names no day on which a payment would be taken.
    const shown = async (of: typeof plan) => {
      const { collections_paused, installments } = (await of.state()).data.management;
      const days = installments.filter((it: { next_attempt_on: unknown }) => it.next_attempt_on);
      return [collections_paused, days.length];
    };
    expect(await shown(plan)).toEqual([true, 0]);
    expect(await shown(other)).toEqual(scope === 'partner' ? [true, 0] : [false, 3]);
    // 70 days: twice as long as it takes to be past due.
    await plan.simulate('advance_clock', { by: 'P70D' });
    await other.simulate('advance_clock', { by: 'P70D' });
    expect((await plan.read()).state).toBe('active');
    expect(await statesOf(plan)).toEqual(waiting);
    expect(await statesOf(other)).toEqual(scope === 'partner' ? waiting : paid);
    const before = await eventsOf(plan.externalId);
    expect(before).not.toContain('installment.upcoming');
    expect(before).not.toContain('plan.past_due');

    expect(await run({ command: 'collections resume', ...of })).toEqual({ changed: true });
    await runTick();
    expect(await statesOf(plan)).toEqual(paid);
    expect((await plan.read()).state).toBe('completed');
    expect(await eventsOf(plan.externalId)).not.toContain('plan.past_due');
    expect(await run({ command: 'collections resume', ...of })).toEqual({ changed: false });
  },
);

test('the operator sees what happens next to a tenant, and why it does not happen', async () => {
  const partner = await svc.newPartner();
  const { pms } = partner;
  const plan = await inProperty(partner, 't-why', 'P-1');
  await inProperty(partner, 't-elsewhere', 'P-2');
  const request = { command: 'tenant show', pms, external_id: 't-why' } as const;
  const [first, second] = (await plan.read()).installments;
  const begins = await run(request);
  expect(begins).toMatchObject({ pms, waits_for: [], plan: { state: 'active', autopay: true } });
  expect(begins.next).toMatchObject({ kind: 'remind', number: 2 });

  await run({ command: 'collections pause', pms, property: 'P-1' });
  await run({ command: 'collections pause', pms, property: 'P-2' });
  const days = Math.round((Date.parse(second.due_date) - Date.parse(first.due_date)) / 86_400_000);
  await plan.simulate('advance_clock', { by: `P${days}D` });
  const paused = await run(request);
  expect(paused.waits_for).toEqual([
    expect.stringMatching(
      /^Collections from this property are paused since .* by ops-ada: a test$/,
    ),
    expect.stringMatching(/^It was due at .*because of a pause or because the work failed/),
  ]);
  const text = describeResult(request, paused);
  expect(text).toContain(`${pms}/t-why: has_plan`);
  expect(text).toContain('  Collections from this property are paused since');

  await run({ command: 'collections resume', pms, property: 'P-1' });
  expect((await run(request)).waits_for).toEqual([
    'It is due now, and a worker takes it up within a minute.',
  ]);
  await plan.change('autopay', { enabled: false });
  await runTick();
  await run({ command: 'money stop' });
  const stopped = await run(request);
  await run({ command: 'money start' });
  expect(stopped.waits_for).toEqual([
    'Automatic payments are off: the tenant makes each payment.',
    expect.stringMatching(/^All money is stopped since .* by ops-ada: a test$/),
  ]);
  const unknown = await svc.administer({ ...request, external_id: 't-gone' });
  expect(unknown).toMatchObject({
    ok: false,
    message: expect.stringContaining(`${pms} has no tenant t-gone.`),
  });
});

test('late days count from the resume', async () => {
  const partner = await svc.newPartner();
  const { pms } = partner;
  const plan = await withPlan(svc, partner, 't-late');
  await run({ command: 'collections pause', pms });
  await plan.simulate('advance_clock', { by: 'P70D' });
  await plan.change('autopay', { enabled: false });
  await run({ command: 'collections resume', pms });
  await runTick();
  expect(await statesOf(plan)).toEqual(waiting);
  await plan.simulate('advance_clock', { by: 'P1D' });
  expect(await statesOf(plan)).toEqual(['paid', 'overdue', 'overdue', 'overdue']);
  await plan.simulate('advance_clock', { by: 'P28D' });
  expect((await plan.read()).state).toBe('active');
  await plan.simulate('advance_clock', { by: 'P2D' });
  expect((await plan.read()).state).toBe('past_due');
});

test('a paused tenant can pay by hand and make a plan', async () => {
  const partner = await svc.newPartner();
  await run({ command: 'collections pause', pms: partner.pms });
  const plan = await withPlan(svc, partner, 't-hand');
  const ids = plan.plan.installments.map((it: { id: string }) => it.id);
  await plan.change('pay', { installment_ids: ids });
  expect(await statesOf(plan)).toEqual(paid);
});

test('two pauses of one tenant both have to end', async () => {
  const partner = await svc.newPartner();
  const { pms } = partner;
  const plan = await withPlan(svc, partner, 't-two');
  await run({ command: 'collections pause', pms });
  await run({ command: 'collections pause', pms, tenant: 't-two' });
  await plan.simulate('advance_clock', { by: 'P1M' });
  await run({ command: 'collections resume', pms });
  await runTick();
  expect(await statesOf(plan)).toEqual(waiting);
  const listed = await run({ command: 'collections list', pms });
  expect(listed).toEqual({
    items: [
      {
        pms,
        scope: 'tenant',
        subject: 't-two',
        started_at: expect.any(String),
        started_by: 'ops-ada',
        reason: 'a test',
      },
    ],
  });
  expect(describeResult({ command: 'collections list' }, listed)).toContain('tenant t-two');
  await run({ command: 'collections resume', pms, tenant: 't-two' });
  await runTick();
  expect(await statesOf(plan)).toEqual(paid);
});

test('the pause of a property ends also after its last tenant moved out', async () => {
  const { pms, key } = await svc.newPartner();
  const tenant = { key, externalId: 't-mover' };
  await moveTo('P-old', tenant);
  await run({ command: 'collections pause', pms, property: 'P-old' });
  await moveTo('P-new', tenant);
  const resume = { command: 'collections resume', pms, property: 'P-old' } as const;
  expect(await run(resume)).toEqual({ changed: true });
  expect(await run(resume)).toEqual({ changed: false });
});

test('a pause names what exists, and is in the partner’s audit log with its reason', async () => {
  const { pms, key } = await svc.newPartner();
  const refused = async (request: OperatorRequest) => {
    const answer = await svc.administer(request);
    return answer.ok ? 'done' : answer.message;
  };
  expect(await refused({ command: 'collections pause', pms: 'nobody' })).toBe(
    'There is no partner nobody.',
  );
  expect(await refused({ command: 'collections pause', pms, tenant: 'x' })).toContain(
    `${pms} has no tenant x.`,
  );
  expect(await refused({ command: 'collections pause', pms, property: 'x' })).toBe(
    `No tenant of ${pms} has a lease in a property x.`,
  );
  await run({ command: 'collections pause', pms });
  await run({ command: 'collections resume', pms });
  const { items } = (await svc.call('GET', '/webhooks/audit_log', { key })).data;
  expect(items.map((it: AuditLine) => [it.action, it.details])).toEqual([
    ['collections.resumed', { reason: 'a test' }],
    ['collections.paused', { reason: 'a test' }],
  ]);
});

test('while money is stopped, nothing begins; after the start everything continues', async () => {
  const partner = await svc.newPartner();
  const { key, pms } = partner;
  const plan = await withPlan(svc, partner, 't-stop');
  const ready = await readyToAccept(partner, 't-accept');
  const stopped = await run({ command: 'money stop' });
  expect(stopped).toMatchObject({ changed: true, stopped_by: 'ops-ada', reason: 'a test' });
  try {
    const refusal = {
      status: 503,
      error: {
        code: 'payments_paused',
        message: expect.stringContaining('No money moved, and nothing was changed.'),
      },
    };
    const ids = plan.plan.installments.map((it: { id: string }) => it.id);
    const paying = await plan.change('pay', { installment_ids: ids.slice(1) });
    expect(paying).toMatchObject(refusal);
    expect(paying.headers.get('retry-after')).toBe('60');
    expect(await ready.accept()).toMatchObject(refusal);
    expect(await plan.simulate('reset')).toMatchObject(refusal);
    const settlement = await verifiedSettlement(key);
    const refunding = () =>
      svc.call('POST', `/settlements/${settlement}/refunds`, {
        key,
        headers: { 'idempotency-key': 'refund-once' },
        body: { amount_in_cents: 1_000 },
      });
    expect(await refunding()).toMatchObject(refusal);
    await plan.simulate('advance_clock', { by: 'P70D' });
    await runTick();
    expect(await statesOf(plan)).toEqual(waiting);
    expect((await plan.read()).state).toBe('active');

    const readiness = await fetch(`${svc.url}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([
      200,
      expect.stringContaining('Money is stopped'),
    ]);
    svc.clock.advance(5_000);
    const metrics = await (await fetch(svc.metricsAt ?? '')).text();
    expect(metrics).toContain('svc_money_stopped 1\n');
    expect(await run({ command: 'money stop' })).toMatchObject({ changed: false });
    expect(await run({ command: 'money status' })).toMatchObject({ stopped_by: 'ops-ada' });

    expect(await run({ command: 'money start' })).toEqual({
      changed: true,
      tenants_resumed: expect.any(Number),
    });
    // A refusal is not stored under the idempotency key.
    expect((await refunding()).status).toBe(200);
  } finally {
    await svc.administer({ command: 'money start' });
  }
  await runTick();
  expect(await statesOf(plan)).toEqual(paid);
  expect(await eventsOf('t-stop')).not.toContain('plan.past_due');
  expect((await ready.accept()).status).toBe(200);
  svc.clock.advance(5_000);
  expect(await (await fetch(`${svc.url}/readyz`)).text()).toBe('ok\n');
  const [start, stop] = await operatorEntries();
  expect([stop?.action, stop?.details]).toEqual(['money.stopped', { reason: 'a test' }]);
  expect([start?.action, start?.details]).toEqual([
    'money.started',
    { reason: 'a test', tenants_resumed: expect.any(Number) },
  ]);
  expect(pms).not.toBe('operator');
});

test('only one of two concurrent operators changes something, and the audit log has one entry', async () => {
  const partner = await svc.newPartner();
  const { key, pms } = partner;
  const plan = await withPlan(svc, partner, 't-operators');
  const { settlement_id } = plan.plan;
  for (const [status, more] of [
    ['unverified', { processor_transaction_id: 'tx_1' }],
    ['failed', { failure_reason: 'R02' }],
  ] as const) {
    await svc.call('PATCH', `/settlements/${settlement_id}`, { key, body: { status, ...more } });
  }
  /** Returns how many of two operators changed something. The other one is refused, or told that nothing changed. */
  const changedBy = async (request: OperatorRequest) => {
    const answers = await Promise.all([svc.administer(request), svc.administer(request)]);
    return answers.filter((it) => it.ok && { changed: true, ...it.result }.changed).length;
  };
  const earlier = (await operatorEntries()).length;
  expect(await changedBy({ command: 'collections pause', pms })).toBe(1);
  expect(await changedBy({ command: 'collections resume', pms })).toBe(1);
  expect(await changedBy({ command: 'settlement reopen', settlement_id })).toBe(1);
  expect(await changedBy({ command: 'money stop' })).toBe(1);
  expect(await changedBy({ command: 'money start' })).toBe(1);
  const entries = (await operatorEntries()).slice(0, -earlier || undefined);
  expect(entries.map(({ action }) => action)).toEqual(['money.started', 'money.stopped']);
  const { items } = (await svc.call('GET', '/webhooks/audit_log', { key })).data;
  const reasoned = items.filter((it: AuditLine) => it.details?.reason === 'a test');
  expect(reasoned.map((it: AuditLine) => it.action)).toEqual([
    'settlement.reopened',
    'collections.resumed',
    'collections.paused',
  ]);
});

test('a first payment that is in flight ends while money is stopped', async () => {
  const partner = await svc.newPartner();
  const slow = { ...testAccount, account_number: '000111110003' };
  const plan = await withPlan(svc, partner, 't-flight', { account: slow });
  const { state } = await plan.read();
  await run({ command: 'money stop' });
  try {
    await plan.simulate('advance_clock', { by: 'P5D' });
    expect([state, (await plan.read()).state]).toEqual(['created', 'active']);
  } finally {
    await run({ command: 'money start' });
  }
});

// The embedded database has one session, so nothing runs concurrently there.
test.runIf(svc.kind === 'postgres')(
  'of payments that race with "money stop", each commits before it or is refused',
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const partner = await svc.newPartner();
      const plans = await Promise.all(
        Array.from({ length: 4 }, (_, index) => withPlan(svc, partner, `t-race-${round}-${index}`)),
      );
      const pay = (plan: Plan) =>
        plan.change('pay', { installment_ids: [plan.plan.installments[1].id] });
      const begun = async () => {
        const { count } = await oneRowOf<{ count: number }>(
          svc.db,
          sql`select count(*) as count from payment where partner_id = ${partner.id}`,
        );
        return count;
      };
      const [begunAtStop, ...paying] = await Promise.all([
        run({ command: 'money stop' }).then(begun),
        ...plans.map(async (plan) => pay(plan)),
      ]);
      const after = await Promise.all(plans.map((plan) => pay(plan)));
      const statuses = new Set(paying.map(({ status }) => status));
      expect([...statuses].filter((it) => it !== 200 && it !== 503)).toEqual([]);
      // Paying a paid installment again is no charge, so only those that were refused are refused again.
      expect(after.map(({ status }) => status)).toEqual(paying.map(({ status }) => status));
      // The outcome of a payment that began before the stop may be written after it.
      expect(await begun()).toBe(begunAtStop);
      await run({ command: 'money start' });
    }
  },
);

test.runIf(svc.kind === 'postgres')(
  'pauses and resumes that race with the lanes neither lose a collection nor make one twice',
  async () => {
    const partner = await svc.newPartner();
    const { pms } = partner;
    const plans = await Promise.all(
      Array.from({ length: 6 }, (_, index) => withPlan(svc, partner, `t-lane-${index}`)),
    );
    svc.clock.advance(40 * 86_400_000);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        runTick(),
        run({ command: 'collections pause', pms }),
        run({ command: 'money stop' }),
        runTick(),
        run({ command: 'collections resume', pms }),
        run({ command: 'money start' }),
        runTick(),
      ]);
    }
    await run({ command: 'collections resume', pms });
    await run({ command: 'money start' });
    await runTick();
    expect(await Promise.all(plans.map(statesOf))).toEqual(plans.map(() => paid));
    const { twice } = await oneRowOf<{ twice: number }>(
      svc.db,
      sql`
      select count(*) as twice from (
        select from payment where partner_id = ${partner.id} and outcome = 'succeeded'
        group by installment_id having count(*) > 1) it`,
    );
    expect(twice).toBe(0);
  },
);

async function readyToAccept(
  { key, pms }: Awaited<ReturnType<typeof svc.newPartner>>,
  externalId: string,
) {
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay(testAccount);
  const { items } = (await tenant.quotes()).data;
  return { accept: () => tenant.accept(items.at(-1)) };
}

/** Moves the partner's only settlement to verified and returns its id. */
async function verifiedSettlement(key: string): Promise<string> {
  const [{ id }] = (await svc.call('GET', '/settlements', { key })).data.items;
  for (const status of ['unverified', 'verified']) {
    await svc.call('PATCH', `/settlements/${id}`, {
      key,
      body: { status, processor_transaction_id: 'tx_1' },
    });
  }
  return id;
}
