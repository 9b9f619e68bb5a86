import { type DatabaseTarget, openDatabase, raw, sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { addDueTenants, countDueTenants } from './due-tenants.ts';
import { useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { changeTriggers } from './support/change-triggers.ts';
import { serversOf } from './support/service-database.ts';

// The embedded database has one session: while one transaction waits, everything waits.
test.runIf(testKind() === 'postgres')(
  'eligibility checks that wait for a lock delay neither installments, deposits nor seals',
  async () => {
    const svc = await useService();
    const partner = await svc.newPartner();
    const tenant = await withPlan(svc, partner, 't-beside');
    await addDueTenants(svc.db, { partnerId: partner.id, count: 200 });
    await changeTriggers(svc.db, async (tx) => {
      await tx.run(
        raw(`
        create function wait_for_gate() returns trigger language plpgsql as $$
          begin perform pg_advisory_xact_lock(14); return new; end $$`),
      );
      await tx.run(
        raw(`
        create trigger gate before update of turns_at on tenant
          for each row when (old.turns_at = 'epoch') execute function wait_for_gate()`),
      );
    });
    const counts = () =>
      oneRowOf<{ unsealed: number; undeposited: number }>(
        svc.db,
        sql`
        select (select count(*) from ledger_unsealed) as unsealed,
          (select count(*) from processor_entry where deposit_id is null) as undeposited`,
      );
    const installments = async () =>
      (await tenant.read()).installments.map(({ state }: { state: string }) => state);
    // A pass that began before the others had work finds it a minute later.
    const minuteLater = async <T>(read: () => Promise<T>): Promise<T> => {
      svc.clock.advance(60_000);
      return read();
    };
    const gates = await Promise.all(serversOf(svc.database).map(closeGate));
    try {
      svc.clock.advance(40 * 86_400_000);
      await expect.poll(() => minuteLater(installments)).toEqual(['paid', 'paid', 'paid', 'paid']);
      svc.clock.advance(10 * 86_400_000);
      await expect.poll(() => minuteLater(counts)).toEqual({ unsealed: 0, undeposited: 0 });
      expect(await countDueTenants(svc.db)).toBe(200);
    } finally {
      for (const gate of gates) await gate.open();
    }
    // The clock moves by an hour, because a tenant whose check timed out alone is postponed by that.
    await expect
      .poll(() => {
        svc.clock.advance(3_600_000);
        return countDueTenants(svc.db);
      })
      .toBe(0);
  },
);

/** Holds a lock on a server, for which each check that runs there waits. */
async function closeGate(target: DatabaseTarget): Promise<{ open(): Promise<void> }> {
  const limits = { statement: 0, lock: 0, idleInTransaction: 0 };
  const db = await openDatabase(target, { pool: 1, limits });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holding: Promise<void> = Promise.resolve();
  await new Promise<void>((locked) => {
    holding = db.transaction(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(${14}::bigint)`);
      locked();
      await released;
    });
  });
  return {
    async open() {
      release();
      await holding;
      await db.close();
    },
  };
}
