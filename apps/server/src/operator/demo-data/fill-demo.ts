import type { Database } from '@svc/db';
import { createEndpoint } from '@svc/webhooks';
import { keyActor, type PartnerActor } from '../../domain/access/actor.ts';
import { installation } from '../../domain/audit/record.ts';
import { bankTimeZone } from '../../domain/bank-time-zone.ts';
import { createPartner } from '../../domain/partners/create-partner.ts';
import { findPartnerByPms } from '../../domain/partners/find-partner.ts';
import { Refusal } from '../../domain/refusal.ts';
import { simulatorOf } from '../../domain/scenarios/steps.ts';
import { localDate } from '../../domain/tenants/calendar.ts';
import type { StepsContext } from '../command.ts';
import { collectionsPause } from '../commands/collections-pause.ts';
import { payoutConfirm } from '../commands/payout-confirm.ts';
import { payoutCreate } from '../commands/payout-create.ts';
import { payoutFail } from '../commands/payout-fail.ts';
import { payoutSchedule } from '../commands/payout-schedule.ts';
import { payoutSend } from '../commands/payout-send.ts';
import { cedar, type DemoPartner, demoPartners, pausedProperty, summit } from './demo-partners.ts';
import { type DemoStage, openDemoStage } from './demo-stage.ts';
import { type DemoTenant, demoTenants } from './demo-tenants.ts';
import { importDemoStatements } from './import-demo-statements.ts';
import { playDemoTenant } from './play-demo-tenant.ts';

export interface FilledDemo {
  readonly partners: readonly string[];
  readonly tenants: number;
  /** The number of tenants that earlier calls had left out or not finished. */
  readonly added: number;
}

/** The databases that are being filled by this process. */
const filling = new WeakSet<Database>();

/**
 * Fills a sandbox with invented tenants of three partners, from six months ago until today, in every state and with
 * every kind of trouble. Everything is done by the commands that portals, tenants and operators use.
 *
 * Each step is recorded in the transaction that does it, so a call after an interrupted one continues, and a call
 * after a finished one changes nothing.
 */
export async function fillDemo(
  ctx: StepsContext,
  input: { readonly count: number },
): Promise<FilledDemo> {
  const { db } = ctx.commands;
  if (ctx.service.environment === 'production') {
    throw new Refusal('validation_failed', {
      message: 'Demo data is for a sandbox. This service is in production, so nothing was created.',
    });
  }
  simulatorOf(ctx.service);
  // A command that was interrupted on its terminal keeps running in the service.
  if (filling.has(db)) {
    throw new Refusal('validation_failed', {
      message: 'The service is adding demo data right now. "partner list" shows its partners.',
    });
  }
  filling.add(db);
  return fill(ctx, input).finally(() => filling.delete(db));
}

async function fill(
  { commands, by, progress = () => {} }: StepsContext,
  { count }: { readonly count: number },
): Promise<FilledDemo> {
  const stage = await openDemoStage(commands, by);
  await stage.once(`${count} tenants`, (ctx) =>
    ctx.record(installation, {
      action: 'demo.filled',
      subject_id: 'demo',
      details: { tenants: count },
    }),
  );
  const actors = new Map<DemoPartner, PartnerActor>();
  for (const partner of demoPartners) actors.set(partner, await openPartner(stage, partner));
  const day = localDate(commands.clock.now(), bankTimeZone);
  const tenants = demoTenants(count, day);
  const missing = tenants.filter(({ externalId }) => !stage.isDone(externalId));
  const play = (part: readonly DemoTenant[]) =>
    inParallel(part, async (tenant) => {
      const actor = actors.get(tenant.partner);
      if (actor) await playDemoTenant(stage, tenant, actor);
      const done = tenants.filter(({ externalId }) => stage.isDone(externalId)).length;
      progress(`${done} of ${count} tenants`);
    });
  // Each payout pays what was owed until then.
  const [first, second] = [Math.ceil(count * 0.4), Math.ceil(count * 0.7)];
  await play(tenants.slice(0, first));
  await payOut(stage, 'first', 'paid');
  await play(tenants.slice(first, second));
  await payOut(stage, 'second', 'failed');
  await play(tenants.slice(second));
  await payOut(stage, 'third', 'sent');
  const { partner, propertyId: property } = pausedProperty;
  await stage.once('pause', (ctx) =>
    collectionsPause.run(
      { ...ctx, by: { ...ctx.by, reason: 'Water damage: rents are being recalculated' } },
      { pms: partner.pms, property },
    ),
  );
  await importDemoStatements(stage, day);
  return {
    partners: demoPartners.map(({ pms }) => pms),
    tenants: count,
    added: missing.length,
  };
}

// The number of tenants in progress. The embedded database has its own thread, which is idle while ours works on a
// response, so a single tenant would not keep it busy.
const concurrency = 4;

/**
 * Plays several tenants at a time. After a failure it starts no further tenant, and throws once those in progress
 * have ended.
 */
async function inParallel(
  tenants: readonly DemoTenant[],
  play: (tenant: DemoTenant) => Promise<void>,
): Promise<void> {
  const rest = [...tenants];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      await play(next).catch((error: unknown) => {
        rest.length = 0;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failed = ended.find((it) => it.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Creates the partner as its portal would have set it up, unless it exists, and returns it as an actor. */
async function openPartner(stage: DemoStage, partner: DemoPartner): Promise<PartnerActor> {
  const { pms, name } = partner;
  await stage.once(pms, async (ctx) => {
    const { partner_id, key_id } = await createPartner(ctx, { pms, name });
    const details = { pms, key_id };
    await ctx.record(partner_id, { action: 'partner.created', details });
    if (!partner.isPaidOut) return;
    // The simulated payout rail leaves only destinations with "by hand" to the operator.
    const destination = `${name} 4821, by hand`;
    await payoutSchedule.run(ctx, { pms, method: 'credit', destination });
  });
  const found = await findPartnerByPms(stage.commands.db, pms);
  if (!found) throw new Error(`the demo partner ${pms} does not exist`);
  const actor: PartnerActor = keyActor({ partnerId: found.id, pms, credentialId: 'demo-fill' });
  if (partner === cedar) await createFailingEndpoint(stage, actor);
  return actor;
}

/** Creates an endpoint whose deliveries all fail, because no host name that ends with .example exists. */
function createFailingEndpoint(stage: DemoStage, { partnerId }: PartnerActor): Promise<void> {
  return stage.once('endpoint', ({ tx, service, now }) =>
    createEndpoint(
      tx,
      { vault: service.vault, policy: service.webhookPolicy },
      partnerId,
      {
        url: 'https://hooks.cedar-stone.example/svc',
        description: 'Accounting',
        event_types: ['settlement.*', 'plan.*'],
      },
      now,
    ),
  );
}

/**
 * Creates a payout of all that is owed to the partner with payouts, and moves it to the outcome. With only a few
 * tenants, nothing may be owed yet; then it does nothing.
 */
async function payOut(
  stage: DemoStage,
  name: string,
  outcome: 'paid' | 'failed' | 'sent',
): Promise<void> {
  const { pms } = summit;
  await stage
    .once(`${name} payout`, async (ctx) => {
      const { id } = await payoutCreate.run(ctx, { pms });
      const payout_id = id;
      await payoutSend.run(ctx, { payout_id });
      if (outcome === 'paid') {
        await payoutConfirm.run(ctx, { payout_id, reference: `WIRE-${id.slice(-6)}` });
      }
      const reason = 'R03: no account';
      if (outcome === 'failed') {
        await payoutFail.run({ ...ctx, by: { ...ctx.by, reason } }, { payout_id });
      }
    })
    .catch((error: unknown) => {
      const owesNothing = error instanceof Refusal && error.code === 'payout_transition_invalid';
      if (!owesNothing) throw error;
    });
}
