import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from '../test/support/open-stage.ts';
import type { Service, UnitOfWork } from './context.ts';
import { emit } from './domain/events/emit.ts';
import type { TenantTime } from './domain/tenants/time.ts';
import { runUnitOfWork } from './unit-of-work.ts';

let stage: Stage;
let partnerId: string;
beforeAll(async () => {
  stage = await openStage();
  ({ partnerId } = await stage.newPartner());
});
afterAll(() => stage.close());

let calls: string[] = [];
/** The messages that the engine would find when it is woken. */
let storedAtWake: Promise<string[]> | undefined;
beforeEach(() => {
  calls = [];
  storedAtWake = undefined;
});

/** The stage's service, which also lists its calls. */
function recordingService(): Service {
  const { service } = stage;
  return {
    ...service,
    async publish(tx, messages, now) {
      calls.push(`publish ${messages.length}`);
      await service.publish(tx, messages, now);
    },
    wake() {
      calls.push('wake');
      storedAtWake = stored();
    },
  };
}

function emitEligibility(uow: UnitOfWork, externalId: string): void {
  const at = uow.now as TenantTime;
  emit(uow, { partnerId, pms: 'partner-1', externalId, simulated: false, at }, [
    {
      type: 'tenant.eligibility_changed',
      version: 1,
      data: { state: 'can_apply', reason: null },
    },
  ]);
}

async function stored(): Promise<string[]> {
  const rows = await rowsOf<{ subject: string }>(
    stage.db,
    sql`
    select subject from webhook_messages where owner = ${partnerId} order by id`,
  );
  return rows.map((row) => row.subject);
}

const run = <T>(work: (uow: UnitOfWork) => Promise<T>) =>
  runUnitOfWork({ db: stage.db, service: recordingService() }, stage.clock.now, work);

test('a command that fails after emitting publishes nothing and does not wake the engine', async () => {
  const failing = run(async (uow) => {
    emitEligibility(uow, 't-failed');
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(calls).toEqual([]);
  expect(await stored()).toEqual([]);
});

test('a command that emits nothing does not wake the engine', async () => {
  expect(await run(async () => 'done')).toBe('done');
  expect(calls).toEqual([]);
});

test('all events of a command are published at once, in order, and the engine wakes after the commit', async () => {
  await run(async (uow) => {
    emitEligibility(uow, 't-1');
    await uow.tx.run(sql`select 1`);
    emitEligibility(uow, 't-2');
  });
  expect(calls).toEqual(['publish 2', 'wake']);
  expect(await storedAtWake).toEqual(['t-1', 't-2']);
});
