import type { Recording, TenantEvent } from '@svc/contract';
import type { Queryable } from '@svc/db';
import { listSubjectEvents } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';
import { readCalls } from './recorded-calls.ts';

const mostEvents = 2_000;

/**
 * Reads the calls about a tenant, and the webhooks that they caused, up to the webhook `at` or until now.
 * @throws Refusal `tenant_not_found`; `message_not_found` if `at` is not a webhook about the tenant
 */
export async function readRecording(
  { tx, now, actor, service }: Pick<Ctx<PartnerActor>, 'tx' | 'now' | 'actor' | 'service'>,
  {
    external_id: externalId,
    at,
  }: { readonly external_id: string; readonly at?: string | undefined },
): Promise<Recording> {
  const { partnerId } = actor;
  const snapshot = await loadTenantSnapshot(tx, { partnerId, externalId }, { lock: false });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { tenant } = snapshot;
  const events = await readEvents(tx, { partnerId, externalId });
  const last = at === undefined ? events.length - 1 : events.findIndex(({ id }) => id === at);
  if (at !== undefined && last === -1) {
    throw new Refusal('message_not_found', {
      message: `${at} is no webhook about this tenant. GET /v1/webhooks/messages?external_id=${encodeURIComponent(externalId)} lists them.`,
    });
  }
  const end = (at === undefined ? undefined : events[last]?.occurred_at) ?? null;
  const calls = await readCalls(tx, service, { partnerId, tenantId: tenant.id });
  return {
    version: 1,
    external_id: externalId,
    at: at ?? null,
    ends_at: end ?? tenantTime(tenant, now).toISOString(),
    calls: end === null ? calls : calls.slice(0, callsUntil(calls, end)),
    events: events.slice(0, last + 1),
  };
}

/** Counts the calls up to the last one that began by `end`. A reset of the clock gives later calls earlier times. */
function callsUntil(calls: Recording['calls'], end: string): number {
  return calls.findLastIndex(({ at }) => at <= end) + 1;
}

/** Reads the webhooks about a tenant, oldest first, without those that the partner itself published. */
export async function readEvents(
  q: Queryable,
  { partnerId, externalId }: { readonly partnerId: string; readonly externalId: string },
): Promise<TenantEvent[]> {
  const messages = await listSubjectEvents(q, partnerId, externalId, mostEvents);
  return messages.map(({ body }) => toEvent(body));
}

/** Reads an event from the body of its webhook. */
export function toEvent(body: string): TenantEvent {
  const { id, type, data } = JSON.parse(body) as Pick<TenantEvent, 'id' | 'type'> & {
    data: { occurred_at: string };
  };
  const { occurred_at, ...rest } = data;
  return { id, type, occurred_at, data: rest };
}
