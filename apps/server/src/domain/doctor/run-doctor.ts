import type { DoctorInput, DoctorOutput } from '@svc/contract';
import { listEndpoints, type Outcome } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { storedKeys } from '../access/api-keys.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { readAllowedOrigins, widgetOrigins } from '../partners/allowed-origins.ts';
import { checkCharges, checkWindow, readSettledCharges } from './check-charges.ts';
import { checkClock } from './check-clock.ts';
import { checkEndpoints, type Probe } from './check-endpoints.ts';
import { checkKey, checkSignature } from './check-identity.ts';
import {
  checkContainer,
  checkFrameHeaders,
  checkOrigins,
  checkPolicy,
  checkReported,
  openPage,
} from './check-page.ts';
import { markObserved } from './go-live.ts';

/** The requests that leave the service, which the delivery engine makes. */
export interface Outward {
  readonly probe: Probe;
  readonly fetchPage: (url: string) => Promise<Outcome>;
}

/** The request's context, with what the doctor needs in addition. */
interface DoctorCtx extends Ctx<PartnerActor> {
  /** Stores the calls that were made so far, so that they can be listed. */
  readonly writeRequestLog: () => Promise<void>;
  readonly outward: Outward;
}

/** Checks a partner's whole integration. A failed check is a result, never an error. */
export async function runDoctor(
  ctx: DoctorCtx,
  { page_url, external_id, diagnosis }: DoctorInput,
): Promise<DoctorOutput> {
  const { tx, actor, service } = ctx;
  const { fetchPage } = ctx.outward;
  const { partnerId, pms } = actor;
  const externalId = external_id ?? diagnosis?.external_id;
  const pageUrl = page_url ?? diagnosis?.page_url;
  const keys = await storedKeys(ctx, partnerId);
  const { allowed_origins, app_schemes } = await readAllowedOrigins(ctx);
  const endpoints = await listEndpoints(tx, partnerId);
  const snapshot =
    externalId === undefined
      ? undefined
      : await loadTenantSnapshot(tx, { partnerId, externalId }, { lock: false });
  const found = {
    externalId,
    snapshot,
    diagnosis,
    position: snapshot && positionOf(snapshot, ctx),
    settled: snapshot
      ? await readSettledCharges(tx, { partnerId, tenantId: snapshot.tenant.id })
      : [],
  };
  const [page, webhooks] = await Promise.all([
    openPage(service, pageUrl, fetchPage),
    checkEndpoints(ctx, endpoints),
  ]);
  if (webhooks.some(({ refusesForgery }) => refusesForgery)) {
    await markObserved(ctx, 'forgery_refused');
  }
  const leaseId = snapshot?.tenant.lease?.id;
  return {
    checks: [
      checkKey(ctx, keys),
      checkSignature(ctx, keys, { externalId, leaseId, diagnosis }),
      checkCharges(service, found),
      checkWindow(service, found),
      checkOrigins(service, widgetOrigins(service, allowed_origins, app_schemes), pageUrl),
      page.check,
      checkPolicy(service, pms, page.answer, diagnosis),
      checkFrameHeaders(service, page.answer),
      checkContainer(service, diagnosis),
      checkReported(service, diagnosis),
      checkClock(service, [
        ...webhooks.map(({ outcome }) => ({ of: 'your webhook endpoint', outcome })),
        { of: 'your page', outcome: page.answer?.outcome },
      ]),
      ...webhooks.flatMap(({ checks }) => checks),
    ],
  };
}
