import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PartnerActor, TenantActor } from '../../src/domain/access/actor.ts';
import { receiveEvents } from '../../src/domain/payments/receive-events.ts';
import { cancelPendingPlan } from '../../src/domain/plans/cancel.ts';
import { loadOpenPlan } from '../../src/domain/plans/live-plan.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { runUnitOfWork } from '../../src/unit-of-work.ts';
import { openStage, type Stage } from '../support/open-stage.ts';
import { createAdversary } from './adversary.ts';
import { checkBooks } from './check-books.ts';
import { createKiller, Killed } from './killable.ts';
import { day, minute, playPayments } from './play-payments.ts';

// Random steps by a seed: tenants accept, pay and cancel, time passes, banks decide, events arrive,
// operators give payments back, and processes are killed. CONTRIBUTING.md has the commands of longer
// runs: SVC_PAYMENT_STEPS, SVC_PAYMENT_SEED, and SVC_PAYMENT_MINUTES for as many steps as fit.
const minutes = Number(process.env.SVC_PAYMENT_MINUTES ?? 0);
const steps = minutes > 0 ? Number.POSITIVE_INFINITY : Number(process.env.SVC_PAYMENT_STEPS ?? 500);
const seed = Number(process.env.SVC_PAYMENT_SEED ?? 20_261_122);
// A run of a few hundred steps is one world: then everything is settled and compared.
const stepsPerWorld = 250;
const tenantsPerWorld = 25;

describe.runIf(process.env.SVC_TEST_DB === 'postgres')('a processor that can do everything', () => {
  let stage: Stage;
  let world: ReturnType<typeof createAdversary>;
  const killer = createKiller();
  const random = randomOf(seed);

  beforeAll(async () => {
    world = createAdversary(random);
    stage = await openStage({
      now: '2026-02-01T15:00:00Z',
      wrap: killer.database,
      processor: (simulator) => killer.processor({ ...world.processor, setup: simulator.setup }),
    });
  });
  afterAll(() => stage.close());

  test(
    'no cent is off, nothing is charged twice, and nothing stays unknown once it answers',
    async () => {
      const end = performance.now() + minutes * minute;
      let done = 0;
      let kills = 0;
      const count = (kind: string) => world.calls().filter((it) => it.kind === kind).length;
      const report = () =>
        `${done} steps, ${kills} kills, ${count('charge')} charges, ${count('refund')} refunds`;
      const hasMore = () => (minutes > 0 ? performance.now() < end : done < steps);
      try {
        for (let number = 1; hasMore(); number += 1) {
          const partner = await stage.newPartner();
          const next = Math.min(stepsPerWorld, steps - done);
          kills += await playWorld(partner, number, next);
          done += next;
          await settle(number);
        }
      } catch (error) {
        const again = `SVC_PAYMENT_SEED=${seed} SVC_PAYMENT_STEPS=${done + stepsPerWorld}`;
        console.error(`failed after ${report()}; repeat with ${again}`);
        throw error;
      }
      console.log(`seed ${seed}: ${report()}`);
      expect(kills).toBeGreaterThan(0);
    },
    60_000 + (minutes > 0 ? minutes * 2 * minute : steps * 500),
  );

  async function playWorld(partner: PartnerActor, number: number, count: number): Promise<number> {
    const play = playPayments(stage, partner);
    const tenants: TenantActor[] = [];
    stage.clock.now = new Date('2026-02-01T15:00:00Z');
    for (let index = 0; index < tenantsPerWorld; index += 1) {
      tenants.push(await play.toPlanChoice(`t-${number}-${index}`));
    }
    let kills = 0;
    for (let step = 0; step < count; step += 1) {
      if (random() < 0.1) killer.arm(1 + Math.floor(random() * 40));
      const tenant = tenants[Math.floor(random() * tenants.length)];
      if (!tenant) throw new Error('no tenant');
      await act(play, tenant).catch((error: unknown) => {
        if (!(error instanceof Killed) && !(error instanceof Refusal)) throw error;
      });
      if (killer.revive()) kills += 1;
    }
    return kills;
  }

  async function act(play: ReturnType<typeof playPayments>, tenant: TenantActor): Promise<unknown> {
    const kind = random();
    if (kind < 0.2) return play.accept(tenant);
    if (kind < 0.35) return play.pay(tenant, [1 + Math.floor(random() * 4)]);
    if (kind < 0.37) return play.refund(tenant, 1 + Math.floor(random() * 80_000));
    if (kind < 0.4) {
      const plan = await loadOpenPlan(stage.plain, tenant);
      return plan && stage.run(tenant, (ctx) => cancelPendingPlan(ctx, plan.id));
    }
    if (kind < 0.43) {
      const paid = await play.succeededPayment(tenant, random);
      return paid && play.refundByOperators(paid.id, 1 + Math.floor(random() * paid.amount));
    }
    if (kind < 0.46) {
      const keys = world.takenBackInFull();
      const key = keys[Math.floor(random() * keys.length)];
      return key === undefined ? undefined : play.returnByOperators(key);
    }
    if (kind < 0.67) return world.step();
    if (kind < 0.85) return deliver();
    return play.pass(random() < 0.5 ? minute : 12 * 60 * minute);
  }

  /** Like the webhook route: an event counts as accepted when it is stored. */
  async function deliver(): Promise<void> {
    const events = world.takeEvents();
    try {
      await runUnitOfWork(stage, stage.clock.now, (uow) => receiveEvents(uow, 'adversary', events));
    } catch (error) {
      world.redeliver(events);
      throw error;
    }
  }

  /** The processor answers and tells everything, and our jobs have had time. */
  async function settle(number: number): Promise<void> {
    killer.revive();
    world.settle();
    const play = playPayments(stage, await stage.newPartner());
    for (let round = 0; round < 6; round += 1) {
      await deliver();
      await play.pass(round < 3 ? 15 * minute : day);
      world.settle();
    }
    const open = await rowsOf(
      stage.plain,
      sql`
      select key, kind, state, checks from processor_call
      where state not in ('succeeded', 'failed') or check_at is not null`,
    );
    expect(open, `world ${number}`).toEqual([]);
    await checkBooks(stage.plain, world.calls());
  }
});

/** Mulberry32: numbers from 0 to 1 that depend on the seed only. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
