import { randomBytes } from 'node:crypto';
import { type Database, migrate, openDatabase, type Tx } from '@svc/db';
import { type Clock, createVault, systemClock } from '@svc/runtime';
import { publish } from '@svc/webhooks';
import type { Ctx, RequestSteps, Service, UnitOfWork } from '../../apps/server/src/context.ts';
import { sandboxCreditor } from '../../apps/server/src/creditor.ts';
import {
  type Actor,
  keyActor,
  type PartnerActor,
} from '../../apps/server/src/domain/access/actor.ts';
import { createPartner } from '../../apps/server/src/domain/partners/create-partner.ts';
import { runLane } from '../../apps/server/src/jobs/lane.ts';
import { mailsLane } from '../../apps/server/src/jobs/send-mails.ts';
import { tick } from '../../apps/server/src/jobs/tick.ts';
import { migrations } from '../../apps/server/src/migrations.ts';
import { processors } from '../../apps/server/src/processors/index.ts';
import { createSimulator } from '../../apps/server/src/processors/simulator/create-simulator.ts';
import { runUnitOfWork } from '../../apps/server/src/unit-of-work.ts';

export const log = { info() {}, warn: console.warn, error: console.error };

const settings = {
  publicOrigin: 'http://localhost:4000',
  operatorOrigin: null,
  identityProvider: null,
  vault: createVault(randomBytes(32)),
  keepsClearNames: false,
  creditor: sandboxCreditor,
  egressIps: [],
  privacyUrl: null,
  retention: { applicationMonths: null, tenantMonths: null },
  debitAccounts: {},
  texts: null,
  decidesOutside: false,
  decisionFields: [],
  decisionNeedsAccount: false,
  militaryPhone: null,
  holdsFlagged: false,
  needsMilitaryLookup: false,
  approvals: null,
  deliversWebhooks: true,
  webhookRetentionMs: 90 * 86_400_000,
  webhookPolicy: { allowPrivate: true, allowHttp: true },
  publish,
  wake() {},
  processorRecords: processors,
} satisfies Omit<Service, 'environment' | 'processor' | 'simulator' | 'payoutRail'>;

export const webhookDeps = { vault: settings.vault, policy: settings.webhookPolicy };

const services = new WeakMap<Database, Service>();

function serviceOf(db: Database): Service {
  const known = services.get(db);
  if (known) return known;
  const simulator = createSimulator({ db });
  const parts = { processor: simulator, simulator, payoutRail: null };
  const service: Service = { ...settings, ...parts, environment: 'sandbox' };
  services.set(db, service);
  return service;
}

export interface Stage {
  readonly db: Database;
  readonly partner: PartnerActor;
  readonly apiKey: string;
}

export async function openStage(
  url: string,
  options?: Parameters<typeof openDatabase>[1],
): Promise<Stage> {
  const db = await openDatabase({ url }, options);
  await migrate(db, migrations);
  return addPartner(db, 'bench');
}

export async function addPartner(db: Database, pms: string): Promise<Stage> {
  const now = new Date('2026-01-01T00:00:00Z');
  const created = await runCommand(db, now, { kind: 'system' }, (ctx) =>
    createPartner(ctx, { pms }),
  );
  return {
    db,
    apiKey: created.api_key,
    partner: keyActor({
      partnerId: created.partner_id,
      pms,
      credentialId: created.key_id,
    }),
  };
}

export function context<A extends Actor>(uow: UnitOfWork, actor: A): Ctx<A> {
  return { ...uow, actor, requestId: 'req_bench', address: null, log };
}

/** The context of a query. Its outbox is never written. */
export function readOnly(db: Database, tx: Tx, now: Date): UnitOfWork {
  return { tx, now, service: serviceOf(db), outbox: { messages: [], mails: [] } };
}

export function runCommand<A extends Actor, T>(
  db: Database,
  now: Date,
  actor: A,
  run: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  return runUnitOfWork({ db, service: serviceOf(db) }, now, (uow) => run(context(uow, actor)));
}

/** Like `runCommand`, for a verb of several transactions. */
export function runSteps<A extends Actor, T>(
  db: Database,
  now: Date,
  actor: A,
  run: (steps: RequestSteps<A>) => Promise<T>,
): Promise<T> {
  return run({
    actor,
    now,
    log,
    service: serviceOf(db),
    after: systemClock.after,
    requireCaller() {},
    step: (work) => runCommand(db, now, actor, work),
  });
}

/** Runs one tick of the service at the given time. */
export function tickAt(db: Database, now: Date): Promise<void> {
  const clock: Clock = { now: () => now, after: systemClock.after };
  return tick({ db, clock, log, service: serviceOf(db) });
}

/** Sends the mails that are due at the given time, to a server that accepts all of them. */
export function sendMailsAt(db: Database, now: Date): Promise<void> {
  const clock: Clock = { now: () => now, after: () => () => {} };
  const mailer = { takesSimulated: true, async send() {}, close() {} };
  return runLane(mailsLane({ db, clock, log, service: serviceOf(db), mailer }));
}

/** Calls `work` for each index, `lanes` at a time, like that many concurrent tenants. */
export async function each(
  count: number,
  lanes: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
