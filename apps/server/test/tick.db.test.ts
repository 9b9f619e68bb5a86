import { sql } from '@svc/db';
import { expect, test } from 'vitest';
import { tick } from '../src/jobs/tick.ts';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const runTick = () =>
  tick({
    db: svc.db,
    clock: svc.clock,
    service: svc.service,
    log: quiet,
  });

/** Advances a minute first: a tick skips tenants that another tick has locked, and the next one takes them. */
async function aMinuteLater<T>(read: () => Promise<T>): Promise<T> {
  svc.clock.advance(60_000);
  return read();
}

test('payments that became due while the server slept are collected once, by any process', async () => {
  const tenant = await withPlan(svc, partner, 't-slept');
  const [, second] = tenant.plan.installments;
  const { due_at } = await svc.db.one<{ due_at: Date }>(sql`select due_at from tenant_due`);
  expect(due_at > svc.clock.now()).toBe(true);
  // The service's own tick starts with the clock too. The first one locks the tenant; the others skip it.
  svc.clock.advance(20 * 86_400_000);
  await Promise.all([runTick(), runTick()]);
  const states = async () =>
    (await tenant.read()).installments.slice(0, 2).map((it: { state: string }) => it.state);
  await expect.poll(() => aMinuteLater(states)).toEqual(['paid', 'paid']);
  const { payments } = await svc.db.one<{ payments: number }>(sql`
    select count(*) as payments from payment where installment_id = ${second.id}`);
  expect(payments).toBe(1);
  const upcoming = await svc.db.many<{ due: string }>(sql`
    select body::json #>> '{data,due_date}' as due from webhook_messages
    where type = 'installment.upcoming'`);
  expect(upcoming.map((it) => it.due)).not.toContain(second.due_date);
});

test('a portal that changes a charge of a plan gets an event, and the plan stays as agreed', async () => {
  const tenant = await withPlan(svc, partner, 't-drift');
  const charges = [{ ...ada.charges[0], amount_in_cents: 140_000 }];
  await svc.call('POST', '/tenant/portal_info/t-drift', {
    key: partner.key,
    body: { ...ada, charges },
  });
  const { data } = await svc.db.one<{ data: object }>(sql`
    select body::json -> 'data' as data from webhook_messages
    where subject = 't-drift' and type = 'charge.drift_detected'`);
  expect(data).toMatchObject({
    charge_id: 'C-1',
    known_amount_in_cents: 152_012,
    new_amount_in_cents: 140_000,
    outcome: 'plan_unchanged',
  });
  const { plan, management } = (await tenant.state()).data;
  expect(plan.installments).toEqual(tenant.plan.installments);
  expect(management.history[0]).toMatchObject({ kind: 'charge_changed', amount_in_cents: -12_012 });
});

test('a tenant whose processing fails does not hold up others', async () => {
  const broken = await withPlan(svc, partner, 't-broken');
  const sound = await withPlan(svc, partner, 't-sound');
  const [, second] = broken.plan.installments;
  // The installment already has a successful payment, so the database refuses another one.
  await svc.db.run(sql`
    insert into payment (id, partner_id, installment_id, attempt, amount_in_cents, outcome,
      occurred_at, created_at)
    values ('pay_before', ${partner.id}, ${second.id}, 1, 1, 'succeeded', ${svc.clock.now()},
      ${svc.clock.now()})`);
  svc.clock.advance(20 * 86_400_000);
  await runTick();
  const paid = async () => (await sound.read()).installments[1].state;
  await expect.poll(() => aMinuteLater(paid)).toBe('paid');
  expect((await broken.read()).installments[1].state).toBe('scheduled');
});
