import { raw, sql, type Tx } from '@svc/db';
import { countReads, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playPayments } from '../../test/payments/play-payments.ts';
import { multiplyRows } from '../../test/statements/multiply-rows.ts';
import { openStage, type Stage } from '../../test/support/open-stage.ts';
import { isOneServer } from '../../test/support/service-database.ts';
import type { UnitOfWork } from '../context.ts';
import type { PartnerActor } from '../domain/access/actor.ts';
import { expireApplications } from '../domain/applications/expire-applications.ts';
import { depositDue } from '../domain/payments/deposit.ts';
import { processorEvents } from './tenant-work.ts';
import { tick } from './tick.ts';

const hourMs = 3_600_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let stage: Stage;
let partner: PartnerActor;
beforeAll(async () => {
  stage = await openStage({ now: '2026-02-01T15:00:00Z' });
  partner = await stage.newPartner();
});
afterAll(() => stage.close());

/** A tenant whose clock is ahead or behind, and whose application, deposit and return fall due at `dueAt`. */
async function addTenant(name: string, offsetMs: number | null, dueAt: Date): Promise<void> {
  const { accept, toPlanChoice } = playPayments(stage, partner);
  const actor = await toPlanChoice(name);
  await accept(actor);
  const { partnerId, tenantId } = actor;
  const its = sql`partner_id = ${partnerId} and tenant_id = ${tenantId}`;
  await stage.db.run(sql`
    update tenant set clock_offset_ms = ${offsetMs}
    where partner_id = ${partnerId} and id = ${tenantId}`);
  await stage.db.run(sql`update application set expires_at = ${dueAt} where ${its}`);
  await stage.db.run(sql`update processor_entry set deposit_at = ${dueAt} where ${its}`);
  await stage.db.run(sql`
    insert into simulator_event (partner_id, id, tenant_id, key, kind, return_code, occurs_at)
    select partner_id, key || '.returned', tenant_id, key, 'returned', 'R01', ${dueAt}::timestamptz
    from simulator_call where ${its}`);
}

/** Runs the jobs at this time. Returns the tenants for whom each kind of work has been done by then. */
async function tickAt(now: Date): Promise<Record<string, string[]>> {
  const { db, service } = stage;
  const clock = { now: () => now, after: () => () => {} };
  await tick({ db, service, clock, log: quiet });
  const tenants = async (table: string, isDone: string) => {
    const rows = await rowsOf<{ name: string }>(
      db,
      raw(`select external_id as name from ${table} d
        join tenant t on t.partner_id = d.partner_id and t.id = d.tenant_id
        where ${isDone} order by name`),
    );
    return rows.map(({ name }) => name);
  };
  return {
    applications: await tenants('application', `d.state = 'expired'`),
    deposits: await tenants(
      'processor_entry',
      'd.deposit_id is not null and d.amount_in_cents > 0',
    ),
    simulated: await tenants('simulator_event', 'd.sent_at is not null'),
    returns: await tenants('processor_event', 'd.handled_at is not null'),
  };
}

test('work falls due by the clock of each tenant', async () => {
  const { now } = stage.clock;
  const at = (hours: number) => new Date(now.getTime() + hours * hourMs);
  const dueAt = at(3);
  await addTenant('ahead', 3 * hourMs, dueAt);
  await addTenant('barely', 2 * hourMs, dueAt);
  await addTenant('behind', -hourMs, dueAt);
  await addTenant('real', null, dueAt);
  const done = (...names: string[]) => ({
    applications: names,
    deposits: names,
    simulated: names,
    returns: names,
  });
  expect(await tickAt(new Date(now.getTime() - 1))).toEqual(done());
  expect(await tickAt(now)).toEqual(done('ahead'));
  expect(await tickAt(at(1))).toEqual(done('ahead', 'barely'));
  expect(await tickAt(at(3))).toEqual(done('ahead', 'barely', 'real'));
  expect(await tickAt(at(4))).toEqual(done('ahead', 'barely', 'behind', 'real'));
});

test.runIf(isOneServer)('work that waits is not read', async () => {
  const later = new Date(stage.clock.now.getTime() + 48 * hourMs);
  await addTenant('waits', null, later);
  await stage.db.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      amount_in_cents, occurs_at, created_at)
    select c.partner_id, 'pev_' || c.payment_id, c.tenant_id, c.payment_id, 'taken_back', 'R01', 100,
      ${later}::timestamptz, ${later}::timestamptz
    from processor_call c join tenant t on t.partner_id = c.partner_id and t.id = c.tenant_id
    where t.external_id = 'waits'`);
  const tables = ['tenant', 'payment_method', 'plan', 'installment', 'payment', 'application'];
  const due = ['processor_entry', 'processor_event', 'simulator_event'];
  await multiplyRows(stage.db, [...tables, ...due], 2_000);
  await stage.db.run(sql`
    update /* all partners */ tenant set clock_offset_ms = null where external_id <> 'ahead'`);
  const claims: ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => expireApplications(uow, { limit: 50 }),
    (uow) => depositDue(uow, { limit: 50 }),
    ({ tx, now, service }) =>
      service.simulator?.takeWebhooks(tx, { now, limit: 50 }) ?? Promise.resolve(),
    (uow) => processorEvents.claim(uow, 50),
  ];
  await stage.db.session((session) => session.run(raw('analyze')));
  const { now } = stage.clock;
  const { service } = stage;
  for (const claim of claims) {
    const { rows } = await countReads(stage.db, (q) =>
      claim({ tx: q as Tx, now, service, outbox: { messages: [], mails: [] } }),
    );
    expect(rows).toBeLessThan(10);
  }
});
