import { openDatabase } from '@svc/db';
import { createRandom } from '../../../../../packages/webhooks/src/testing/torture/random.ts';
import type { TenantActor } from '../../../src/domain/access/actor.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { openStage } from '../../support/open-stage.ts';
import { playPayments } from '../play-payments.ts';
import type { Moment, Order, Reply, Task } from './protocol.ts';

/*
 * This process takes payments on the torture run's database until it is killed. protocol.ts defines its orders and
 * replies.
 */
const { url, secretKey, partner } = JSON.parse(process.argv[2] ?? '') as Task;
const db = await openDatabase({ url });
let armed: { moment: Moment; left: number } | null = null;

const stage = await openStage({
  now: '2026-02-01T15:00:00Z',
  secretKey: Buffer.from(secretKey, 'base64'),
  database: { db, kind: 'postgres', close: () => db.close() },
  simulator: (simulator) => ({
    ...simulator,
    async charge(request) {
      await reachMoment('before the call');
      const outcome = await simulator.charge(request);
      await reachMoment('after the call');
      return outcome;
    },
    async refund(request) {
      await reachMoment('before the call');
      const outcome = await simulator.refund(request);
      await reachMoment('after the call');
      return outcome;
    },
    async takeWebhooks(q, options) {
      const webhooks = await simulator.takeWebhooks(q, options);
      // The transaction that stores them is open.
      if (webhooks.length > 0) await reachMoment('during the webhook');
      return webhooks;
    },
  }),
});
const play = playPayments(stage, partner);

async function reachMoment(moment: Moment): Promise<void> {
  if (armed?.moment !== moment) return;
  armed.left -= 1;
  if (armed.left > 0) return;
  reply({ said: 'reached', moment });
  // Nothing continues from here until the SIGKILL.
  await new Promise(() => {});
}

async function handleOrder(order: Order): Promise<void> {
  switch (order.do) {
    case 'arm':
      armed = { moment: order.moment, left: order.nth };
      return;
    case 'open': {
      const tenants: TenantActor[] = [];
      // Accounts that pay at once, answer on the next morning, or are returned weeks later.
      const accounts = ['000111110000', '000111110003', '000111110005'];
      stage.clock.now = new Date(order.now);
      for (const [index, name] of order.names.entries()) {
        tenants.push(await play.toPlanChoice(name, accounts[index % accounts.length]));
      }
      return reply({ said: 'opened', tenants });
    }
    case 'play':
      return playCalls(order);
    case 'pass':
      stage.clock.now = new Date(order.now);
      await play.pass(0);
      return reply({ said: 'done', calls: 0, refused: 0 });
  }
}

async function playCalls(order: Extract<Order, { do: 'play' }>): Promise<void> {
  stage.clock.now = new Date(order.now);
  const random = createRandom(order.seed);
  let calls = 0;
  let refused = 0;
  const lane = async () => {
    while (calls < order.calls) {
      calls += 1;
      const tenant = order.tenants[random(order.tenants.length)];
      if (!tenant) throw new Error('no tenant');
      await call(tenant, random).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        refused += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: order.lanes }, lane));
  reply({ said: 'done', calls, refused });
}

async function call(tenant: TenantActor, random: (limit: number) => number): Promise<unknown> {
  const kind = random(100);
  if (kind < 45) return play.accept(tenant);
  if (kind < 80) return play.pay(tenant, [1 + random(4)]);
  if (kind < 85) return play.refund(tenant, 1 + random(80_000));
  const paid = await play.succeededPayment(tenant, () => random(1_000) / 1_000);
  return paid && play.refundByOperators(paid.id, 1 + random(paid.amount));
}

function reply(message: Reply): void {
  process.send?.(message);
}

process.on('message', (order: Order) => {
  handleOrder(order).catch((error: unknown) =>
    reply({ said: 'failed', error: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
});
reply({ said: 'ready' });
