import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { checkBooks, simulatorCalls } from '../../apps/server/test/payments/check-books.ts';
import { type Acknowledged, findLost } from '../failover/start-traffic.ts';
import { runAdmin } from '../start-service.ts';
import { untilDone } from './due-work.ts';
import type { Stage } from './start-stage.ts';

const dayMs = 86_400_000;
const jobsTimeoutMs = 300_000;
const deliveryTimeoutMs = 120_000;

export interface Totals {
  readonly acknowledged: number;
  readonly plans: number;
  readonly payments: number;
  readonly webhooks: number;
}

/** Lets a day pass, and resolves once all work that is due is done. */
export async function endWork(stage: Stage): Promise<void> {
  const at = await stage.service.advance(dayMs);
  stage.aheadMs += dayMs;
  // Work that a lost server interrupted stays leased to its batch for up to 15 minutes. Those leases have expired now.
  await untilDone(stage.db, { partners: stage.partners.map(({ id }) => id), at }, jobsTimeoutMs);
}

/**
 * Compares what the callers, the processor and the receiver of the webhooks know with the database, once all work has
 * ended. Returns each difference as a sentence.
 */
export async function findFaults(
  stage: Stage,
  acknowledged: Acknowledged,
): Promise<{ faults: string[]; totals: Totals }> {
  const { db } = stage;
  const faults = [
    ...(await findLost(db, acknowledged)).map((id) => `${id} was acknowledged and is lost.`),
    ...(await findPaidTwice(db)),
    ...(await findSilentPlans(db)),
    ...(await findBadBooks(db)),
    ...verify(stage, ['ledger', 'verify', '--full']),
    ...verify(stage, ['audit', 'verify']),
    ...(await findUndelivered(stage)),
  ];
  const { plans, payments, webhooks } = await oneRowOf<Omit<Totals, 'acknowledged'>>(
    db,
    sql`
    /* many rows: all of the game day */
    select (select count(*) from plan)::int8 as plans,
      (select count(*) from payment where outcome = 'succeeded')::int8 as payments,
      (select count(*) from webhook_messages)::int8 as webhooks`,
  );
  const { tenants, plans: accepted, paid, messages } = acknowledged;
  const count = tenants.size + accepted.size + paid.size + messages.size;
  return { faults, totals: { acknowledged: count, plans, payments, webhooks } };
}

async function findPaidTwice(db: Database): Promise<string[]> {
  const twice = await rowsOf<{ id: string; n: number }>(
    db,
    sql`
    /* many rows: all payments */
    select installment_id as id, count(*)::int8 as n from payment
    where outcome in ('pending', 'succeeded') and not is_part
    group by partner_id, installment_id having count(*) > 1`,
  );
  return twice.map(({ id, n }) => `Installment ${id} was paid ${n} times.`);
}

/** Plans are on workers, and their events are on the coordinator. A plan and its event must both exist, or neither. */
async function findSilentPlans(db: Database): Promise<string[]> {
  const plans = await rowsOf<{ id: string }>(
    db,
    sql`/* many rows: all plans */ select id from plan where state <> 'created'`,
  );
  const events = await rowsOf<{ id: string }>(
    db,
    sql`
    /* many rows: the events of all plans */
    select body::jsonb -> 'data' ->> 'plan_id' as id from webhook_messages
    where type in ('plan.activated', 'plan.canceled')`,
  );
  const plansWithEvent = new Set(events.map(({ id }) => id));
  const known = new Set(plans.map(({ id }) => id));
  return [
    ...plans
      .filter(({ id }) => !plansWithEvent.has(id))
      .map(({ id }) => `Plan ${id} has no event.`),
    ...events.filter(({ id }) => !known.has(id)).map(({ id }) => `Plan ${id} has only its event.`),
  ];
}

/** Compares our books with those of the simulated processor, call by call. */
async function findBadBooks(db: Database): Promise<string[]> {
  try {
    await checkBooks(db, await simulatorCalls(db));
    return [];
  } catch (error) {
    return [`Our books differ from the processor's: ${(error as Error).message}`];
  }
}

/** Runs a command that verifies, and returns its output if it fails. */
export function verify({ settings }: Pick<Stage, 'settings'>, args: readonly string[]): string[] {
  const { status, stdout, stderr } = runAdmin(settings, args);
  return status === 0 ? [] : [`svc-admin ${args.join(' ')}: ${stdout}${stderr}`];
}

async function findUndelivered({ db, received }: Stage): Promise<string[]> {
  const began = performance.now();
  for (;;) {
    const messages = await rowsOf<{ id: string }>(
      db,
      sql`/* many rows: all webhooks */ select id from webhook_messages where not operational`,
    );
    const missing = messages.filter(({ id }) => !received.has(id));
    if (missing.length === 0 || performance.now() - began > deliveryTimeoutMs) {
      const known = new Set(messages.map(({ id }) => id));
      return [
        ...missing.map(({ id }) => `Webhook ${id} was not delivered.`),
        ...[...received]
          .filter((id) => !known.has(id))
          .map((id) => `Webhook ${id} was delivered, and its transaction is lost.`),
      ];
    }
    await sleep(1_000);
  }
}
