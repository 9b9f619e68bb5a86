import { raw, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../test/support/open-stage.ts';
import type { PartnerActor } from '../domain/access/actor.ts';
import { recordPortalInfo } from '../domain/intake/record-portal-info.ts';
import { setUnderwritingResult } from '../domain/simulation/set-underwriting-result.ts';
import { tick } from './tick.ts';

let stage: Stage;
let partner: PartnerActor;
beforeAll(async () => {
  stage = await openStage();
  partner = await stage.newPartner();
});
afterAll(() => stage.close());

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Runs the jobs once at this time. */
function tickAt(time: string): Promise<void> {
  const { db, service } = stage;
  stage.clock.now = new Date(time);
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  return tick({ db, service, clock, log: quiet });
}

async function reportTenant(external_id: string, time: string, lease: object = {}): Promise<void> {
  stage.clock.now = new Date(time);
  const charges = [{ id: 'C-1', due_date: '2026-02-01', amount_in_cents: 100_000 }];
  const input = {
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: charges.map((it) => ({ ...it, amount_paid_in_cents: 0 })),
    lease: { id: 'L', property: { id: 'P', time_zone: 'America/Chicago' }, ...lease },
  };
  await stage.run(partner, (ctx) => recordPortalInfo(ctx, { external_id, input, dry_run: false }));
}

/** The changes of the tenant's eligibility that the partner got events about, each with its time. */
async function eligibilityChanges(externalId: string): Promise<string[]> {
  const rows = await rowsOf<{ data: Record<string, string> }>(
    stage.db,
    sql`
    select body::json -> 'data' as data from webhook_messages
    where type = 'tenant.eligibility_changed' and subject = ${externalId} order by id`,
  );
  return rows.map(({ data }) => `${data.occurred_at} ${data.state} ${data.reason}`);
}

test('a change of eligibility is emitted without a call: the cycle opens, and closes', async () => {
  await reportTenant('t-real', '2026-01-20T15:00:00Z');
  await tickAt('2026-01-25T05:59:59.999Z');
  expect(await eligibilityChanges('t-real')).toEqual([]);
  await Promise.all([tickAt('2026-01-25T06:00:00Z'), tickAt('2026-01-25T06:00:00Z')]);
  await tickAt('2026-02-11T05:59:59Z');
  const opened = '2026-01-25T06:00:00.000Z can_apply null';
  expect(await eligibilityChanges('t-real')).toEqual([opened]);
  await tickAt('2026-02-11T06:00:00Z');
  await tickAt('2026-03-11T06:00:00Z');
  const closed = '2026-02-11T06:00:00.000Z cycle_closed null';
  expect(await eligibilityChanges('t-real')).toEqual([opened, closed]);
  const { turns_at } = await oneRowOf<{ turns_at: Date | null }>(
    stage.db,
    sql`
    select turns_at from tenant where external_id = 't-real'`,
  );
  expect(turns_at).toBeNull();
});

test('a payment that would arrive late and a lease that ends block the tenant on their day', async () => {
  // The banks rest on the weekend of 7 and 8 February.
  await reportTenant('t-late', '2026-02-02T15:00:00Z', { late_fee_from: '2026-02-09' });
  await reportTenant('t-gone', '2026-02-02T15:00:00Z', { ends_on: '2026-02-03' });
  await tickAt('2026-02-04T06:00:00Z');
  expect(await eligibilityChanges('t-gone')).toEqual([
    '2026-02-04T06:00:00.000Z blocked lease_ended',
  ]);
  await tickAt('2026-02-06T19:59:59Z');
  expect(await eligibilityChanges('t-late')).toEqual([]);
  await tickAt('2026-02-06T20:00:00Z');
  expect(await eligibilityChanges('t-late')).toEqual([
    '2026-02-06T20:00:00.000Z blocked would_land_late',
  ]);
});

test('a tenant with a simulated clock changes in tenant time', async () => {
  await reportTenant('t-simulated', '2026-01-20T15:00:00Z');
  await stage.run(partner, (ctx) =>
    setUnderwritingResult(ctx, {
      external_id: 't-simulated',
      input: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
    }),
  );
  await reportTenant('t-simulated', '2026-01-20T15:00:00Z');
  const opened = '2026-02-01T18:00:00.000Z can_apply null';
  // 15:00 on 20 January is noon on 1 February in tenant time. The cycle closes at midnight, nine days later.
  await tickAt('2026-01-30T02:59:59Z');
  expect(await eligibilityChanges('t-simulated')).toEqual([opened]);
  await tickAt('2026-01-30T03:00:00Z');
  const closed = '2026-02-11T06:00:00.000Z cycle_closed null';
  expect(await eligibilityChanges('t-simulated')).toEqual([opened, closed]);
});

test('a full disk postpones no tenant: the next tick does the work', async () => {
  await reportTenant('t-full', '2026-01-20T15:00:00Z');
  await stage.db.run(
    raw(`
    create function disk_full() returns trigger language plpgsql as $$
      begin raise exception 'No space left on device' using errcode = '53100'; end $$;
    create trigger disk_full before insert on webhook_messages
      for each row execute function disk_full()`),
  );
  await expect(tickAt('2026-01-25T06:00:00Z')).rejects.toThrow('No space left');
  await stage.db.run(raw('drop trigger disk_full on webhook_messages'));
  expect(await eligibilityChanges('t-full')).toEqual([]);
  await tickAt('2026-01-25T06:00:01Z');
  expect(await eligibilityChanges('t-full')).toHaveLength(1);
});

test('a tenant whose check fails waits an hour and delays no other', async () => {
  await reportTenant('t-broken', '2026-01-20T15:00:00Z');
  await reportTenant('t-sound', '2026-01-20T15:00:00Z');
  await stage.db.run(sql`
    update tenant set time_zone = 'Nowhere/Land' where external_id = 't-broken'`);
  await tickAt('2026-01-25T06:00:00Z');
  expect(await eligibilityChanges('t-sound')).toHaveLength(1);
  expect(await eligibilityChanges('t-broken')).toEqual([]);
  await stage.db.run(sql`update tenant set time_zone = 'UTC' where external_id = 't-broken'`);
  await tickAt('2026-01-25T06:59:59Z');
  expect(await eligibilityChanges('t-broken')).toEqual([]);
  await tickAt('2026-01-25T07:00:00Z');
  expect(await eligibilityChanges('t-broken')).toHaveLength(1);
});
