import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PartnerActor, TenantActor } from '../../src/domain/access/actor.ts';
import { openStage, type Stage } from '../support/open-stage.ts';
import { checkBooks, simulatorCalls } from './check-books.ts';
import { createKiller, Killed } from './killable.ts';
import { day, minute, playPayments } from './play-payments.ts';

// A process is killed at every point of each part of the payment path: before each statement, before
// and after each commit, and before and after each call. Another process continues. The suite takes
// every fifteenth point; SVC_KILL_EVERY=1 takes all of them, in about eight minutes.
const every = Number(process.env.SVC_KILL_EVERY ?? 15);

const killer = createKiller();
let stage: Stage;
let partner: PartnerActor;
let play: ReturnType<typeof playPayments>;
let tenants = 0;

// A database for each part: the books are checked as a whole, so what a kill costs grows with the tenants.
beforeEach(async () => {
  stage = await openStage({
    now: '2026-02-01T15:00:00Z',
    wrap: killer.database,
    processor: killer.processor,
  });
  partner = await stage.newPartner();
  play = playPayments(stage, partner);
});
afterEach(() => stage.close());

const start = new Date('2026-02-01T15:00:00Z');

/** Opens a tenant at the same moment each time, and without what is left of others. */
async function newTenant(account?: string): Promise<TenantActor> {
  tenants += 1;
  stage.clock.now = start;
  return play.toPlanChoice(`t-${tenants}`, account);
}

async function openCalls(): Promise<string[]> {
  const rows = await rowsOf<{ state: string }>(
    stage.plain,
    sql`select state from processor_call where state not in ('succeeded', 'failed')`,
  );
  return rows.map((it) => it.state);
}

interface Part {
  readonly name: string;
  prepare(): Promise<TenantActor>;
  act(tenant: TenantActor): Promise<unknown>;
  /** Repeats what the tenant or the clock did before the kill. */
  again?(tenant: TenantActor): Promise<unknown>;
}

async function withPlan(account?: string): Promise<TenantActor> {
  const tenant = await newTenant(account);
  await play.accept(tenant);
  return tenant;
}

const parts: readonly Part[] = [
  { name: 'accepting a plan', prepare: () => newTenant(), act: (it) => play.accept(it) },
  {
    name: 'paying an installment early',
    prepare: () => withPlan(),
    act: (it) => play.pay(it, [2]),
  },
  {
    name: 'collecting a due installment',
    prepare: () => withPlan(),
    act: () => play.pass(8 * day + 60 * minute),
    again: () => play.pass(minute),
  },
  {
    name: 'a webhook about a slow first payment',
    prepare: () => withPlan('000111110003'),
    act: () => play.pass(day + 60 * minute),
    again: () => play.pass(minute),
  },
  {
    name: 'two operators giving a payment back',
    prepare: () => withPlan(),
    async act(tenant) {
      const paid = await play.succeededPayment(tenant, () => 0);
      if (!paid) throw new Error('nothing was paid');
      await play.refundByOperators(paid.id, Math.ceil(paid.amount * 0.6));
      await play.pass(minute);
    },
  },
  {
    name: 'a webhook about a returned payment',
    async prepare() {
      const tenant = await withPlan('000111110005');
      await play.pay(tenant, [2, 3, 4]);
      return tenant;
    },
    act: () => play.pass(46 * day),
    again: () => play.pass(minute),
  },
];

describe.runIf(process.env.SVC_TEST_DB === 'postgres')('a kill at every point of', () => {
  test.each(parts)(
    '$name',
    async ({ prepare, act, again = act }) => {
      let kills = 0;
      for (let point = 1; ; point += every) {
        const tenant = await prepare();
        killer.arm(point);
        await act(tenant).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        if (!killer.revive()) break;
        kills += 1;
        // Leases end; then a processor that says it never received a call is believed.
        await play.pass(minute);
        await play.pass(15 * minute);
        expect(await openCalls(), `after a kill at point ${point}`).toEqual([]);
        await checkBooks(stage.plain, await simulatorCalls(stage.plain));
        stage.clock.now = new Date(Math.max(stage.clock.now.getTime(), start.getTime()));
        await again(tenant);
        await checkBooks(stage.plain, await simulatorCalls(stage.plain));
        await retire(tenant);
      }
      expect(kills).toBeGreaterThan(20 / every);
    },
    // A loaded machine takes five times as long as a free one.
    1_800_000,
  );
});

/** Ends the tenant's life, so that the next one's time does not move it. */
async function retire({ partnerId, tenantId }: TenantActor): Promise<void> {
  await stage.plain.run(sql`
    delete from tenant_due where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await stage.plain.run(sql`
    update tenant set turns_at = null where partner_id = ${partnerId} and id = ${tenantId}`);
}
