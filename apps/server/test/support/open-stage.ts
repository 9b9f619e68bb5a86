import { randomBytes } from 'node:crypto';
import type { SvcEnvironment } from '@svc/contract';
import type { Database } from '@svc/db';
import type { TestDatabase } from '@svc/db/testing';
import { createVault, systemClock } from '@svc/runtime';
import { publish } from '@svc/webhooks';
import type { Ctx, RequestSteps, Service } from '../../src/context.ts';
import { sandboxCreditor } from '../../src/creditor.ts';
import {
  type Actor,
  keyActor,
  type PartnerActor,
  type TenantActor,
} from '../../src/domain/access/actor.ts';
import { createPartner } from '../../src/domain/partners/create-partner.ts';
import type { Processor } from '../../src/domain/payments/processor.ts';
import type { Simulator } from '../../src/domain/payments/simulator.ts';
import type { PayoutRail } from '../../src/domain/payouts/rail.ts';
import { processors } from '../../src/processors/index.ts';
import { createPayoutRail } from '../../src/processors/simulator/create-payout-rail.ts';
import { createSimulator } from '../../src/processors/simulator/create-simulator.ts';
import { runUnitOfWork } from '../../src/unit-of-work.ts';
import { openServiceDatabase } from './service-database.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Opens a migrated database and a clock that tests can move, to call verbs without HTTP. */
export async function openStage({
  now = '2026-01-20T15:00:00Z',
  environment = 'sandbox',
  wrap = (it) => it,
  processor,
  simulator: wrapSimulator = (it) => it,
  rail = (it) => it,
  database,
  secretKey = randomBytes(32),
  approvals = null,
}: {
  now?: string;
  environment?: SvcEnvironment;
  /** Wraps the database that verbs use. The simulator, as another party, keeps the plain one. */
  wrap?: (db: Database) => Database;
  /** Replaces the simulator. */
  processor?: (simulator: Simulator) => Processor;
  /** Wraps the simulator. */
  simulator?: (simulator: Simulator) => Simulator;
  /** Wraps or replaces the sandbox's payout rail. */
  rail?: (rail: PayoutRail) => PayoutRail | null;
  /** A migrated database to use instead of a new one. */
  database?: Omit<TestDatabase, 'target'>;
  secretKey?: Buffer;
  approvals?: Service['approvals'];
} = {}) {
  const { db: plain, kind, close } = database ?? (await openServiceDatabase());
  const db = wrap(plain);
  const clock = { now: new Date(now) };
  const simulated = wrapSimulator(createSimulator({ db: plain }));
  const simulator = environment === 'sandbox' ? simulated : null;
  const service: Service = {
    environment,
    publicOrigin: 'http://localhost:4000',
    operatorOrigin: null,
    identityProvider: null,
    vault: createVault(secretKey),
    keepsClearNames: false,
    creditor: sandboxCreditor,
    privacyUrl: null,
    egressIps: [],
    retention: { applicationMonths: null, tenantMonths: null },
    debitAccounts: {},
    texts: null,
    processor: processor ? processor(simulated) : simulator,
    simulator,
    processorRecords: processors,
    payoutRail:
      environment === 'sandbox'
        ? rail(createPayoutRail({ db: plain, clock: { now: () => clock.now } }))
        : null,
    decidesOutside: false,
    decisionFields: [],
    decisionNeedsAccount: false,
    militaryPhone: null,
    holdsFlagged: false,
    needsMilitaryLookup: false,
    approvals,
    deliversWebhooks: true,
    webhookRetentionMs: 90 * 86_400_000,
    webhookPolicy: { allowPrivate: true, allowHttp: true },
    publish,
    wake() {},
  };
  function run<A extends Actor, T>(actor: A, verb: (ctx: Ctx<A>) => Promise<T>): Promise<T> {
    return runUnitOfWork({ db, service }, clock.now, (uow) =>
      verb({ ...uow, actor, requestId: 'req_test', address: null, log: quiet }),
    );
  }
  /** Like `run`, for a verb of several transactions. */
  function runSteps<A extends Actor, T>(
    actor: A,
    verb: (steps: RequestSteps<A>) => Promise<T>,
  ): Promise<T> {
    const { now } = clock;
    return verb({
      actor,
      now,
      service,
      log: quiet,
      after: systemClock.after,
      requireCaller() {},
      step: (work) =>
        runUnitOfWork({ db, service }, now, (uow) =>
          work({ ...uow, actor, requestId: 'req_test', address: null, log: quiet }),
        ),
    });
  }
  let partners = 0;
  async function newPartner(): Promise<PartnerActor> {
    partners += 1;
    const pms = `partner-${partners}`;
    const created = await run({ kind: 'system' }, (ctx) => createPartner(ctx, { pms }));
    return keyActor({ partnerId: created.partner_id, pms, credentialId: created.key_id });
  }
  function tenantOf(partner: PartnerActor, tenantId: string): TenantActor {
    const { partnerId, pms } = partner;
    return {
      kind: 'tenant',
      partnerId,
      pms,
      tenantId,
      productVariant: 'rent',
      sessionId: 'xps_test',
      access: 'full',
    };
  }
  return { db, plain, kind, clock, service, run, runSteps, newPartner, tenantOf, close };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
