import { randomBytes } from 'node:crypto';
import { migrate, openDatabase, raw, sql } from '@svc/db';
import { rowsOf, startPostgres } from '@svc/db/testing';
import { createRandom } from '../../../../../packages/webhooks/src/testing/torture/random.ts';
import type { TenantActor } from '../../../src/domain/access/actor.ts';
import { migrations } from '../../../src/migrations.ts';
import { openStage } from '../../support/open-stage.ts';
import { checkBooks, type ProcessorCall, simulatorCalls } from '../check-books.ts';
import { day, minute } from '../play-payments.ts';
import { type Moment, moments, type Order } from './protocol.ts';
import { startPaymentsProcess } from './start-process.ts';

export interface Options {
  readonly seed: number;
  readonly kills: number;
}

export interface Report {
  readonly seed: number;
  /** The calls of tenants, operators and the portal. */
  readonly calls: number;
  readonly refused: number;
  readonly kills: Readonly<Record<Moment, number>>;
  readonly charges: number;
  readonly refunds: number;
}

const start = Date.parse('2026-02-01T15:00:00Z');
const tenantsPerWorld = 18;
const turnsPerWorld = 12;
// The last step lets a first payment be returned, which happens after 45 days.
const steps = [minute, 15 * minute, day / 2, 3 * day, 10 * day] as const;
const settling = [15 * minute, 15 * minute, 15 * minute, day, day, 50 * day, 15 * minute, day];

/**
 * Two processes take payments on one database. Again and again one of them is killed with SIGKILL at a
 * moment drawn by the seed, and replaced. The clock starts again with new tenants in each world. At the
 * end of a world the processor reports everything, and our books must equal the processor's.
 * @throws for any difference between the books, and for a call without an outcome
 */
export async function torture({ seed, kills }: Options): Promise<Report> {
  const server = await startPostgres({ durable: true });
  try {
    const admin = await openDatabase({ url: server.url('postgres') });
    await admin.run(raw('create database torture'));
    await admin.close();
    const run = await openRun(server.url('torture'), seed);
    try {
      for (let world = 1; run.killed() < kills; world += 1) await run.playWorld(world);
      return await run.report();
    } finally {
      await run.close();
    }
  } finally {
    await server.stop();
  }
}

async function openRun(url: string, seed: number) {
  const db = await openDatabase({ url });
  await migrate(db, migrations);
  const secretKey = randomBytes(32);
  const database = { db, kind: 'postgres' as const, close: () => db.close() };
  const stage = await openStage({ secretKey, database });
  const task = { url, secretKey: secretKey.toString('base64'), partner: await stage.newPartner() };
  const random = createRandom(seed);
  const kills: Record<Moment, number> = {
    'before the call': 0,
    'after the call': 0,
    'during the webhook': 0,
  };
  const killed = () => Object.values(kills).reduce((sum, it) => sum + it);
  let calls = 0;
  let refused = 0;
  const running = await Promise.all([startPaymentsProcess(task), startPaymentsProcess(task)]);

  /** Gives both processes an order at once, and replaces those that were killed. */
  async function both(order: (index: number) => Order): Promise<void> {
    const replies = await Promise.all(running.map((it, index) => it.ask(order(index))));
    for (const [index, reply] of replies.entries()) {
      if (reply.said === 'done') {
        calls += reply.calls;
        refused += reply.refused;
      }
      if (reply.said !== 'reached') continue;
      kills[reply.moment] += 1;
      running[index] = await startPaymentsProcess(task);
    }
  }

  async function openTenants(world: number): Promise<readonly TenantActor[]> {
    const names = Array.from({ length: tenantsPerWorld }, (_, index) => `t-${world}-${index}`);
    // The process may be armed, but opening a tenant makes no call.
    const reply = await running[0].ask({ do: 'open', now: new Date(start).toISOString(), names });
    if (reply.said !== 'opened') throw new Error(`no tenants, but ${reply.said}`);
    return reply.tenants;
  }

  async function playWorld(world: number): Promise<void> {
    const tenants = await openTenants(world);
    let time = start;
    const now = () => new Date(time).toISOString();
    for (let turn = 0; turn < turnsPerWorld; turn += 1) {
      const moment = moments[random(moments.length)] ?? 'before the call';
      const victim = running[random(2)];
      // Webhooks come in batches, so there is one moment for many of them.
      victim?.arm(moment, moment === 'during the webhook' ? 1 : 1 + random(4));
      const drawn = random(2 ** 31);
      await both((index) => {
        return { do: 'play', now: now(), tenants, seed: drawn + index, calls: 10, lanes: 3 };
      });
      time += steps[random(steps.length)] ?? minute;
      await both(() => ({ do: 'pass', now: now() }));
    }
    for (const ms of settling) {
      time += ms;
      await both(() => ({ do: 'pass', now: now() }));
    }
    await check(world);
  }

  async function check(world: number): Promise<void> {
    const open = await rowsOf<{ key: string; state: string }>(
      db,
      sql`
      select key, state from processor_call
      where state not in ('succeeded', 'failed') or check_at is not null`,
    );
    if (open.length > 0) throw new Error(`world ${world}: calls are open: ${JSON.stringify(open)}`);
    await checkBooks(db, await simulatorCalls(db));
  }

  return {
    killed,
    playWorld,
    async report(): Promise<Report> {
      const booked = await simulatorCalls(db);
      const count = (kind: ProcessorCall['kind']) => booked.filter((it) => it.kind === kind).length;
      return { seed, calls, refused, kills, charges: count('charge'), refunds: count('refund') };
    },
    async close(): Promise<void> {
      await Promise.all(running.map((it) => it.stop()));
      await db.close();
    },
  };
}
