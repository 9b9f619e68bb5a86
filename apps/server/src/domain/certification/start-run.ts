import type { CertificationInput, CertificationOutput } from '@svc/contract';
import { integer, row, sql } from '@svc/db';
import { type EndpointView, listEndpoints } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import { firstIdAt, newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { findRunning, readCertification } from './store.ts';

/** How long a run may go without a step before another one may begin. */
const abandonedMs = 10 * 60_000;
const mostRunsPerHour = 20;
/** The most runs that are kept, because each has up to a few megabytes of requests and responses. */
const keptRuns = 50;

const countRow = row('runs of the last hour', { count: integer });

/**
 * Begins a run. One runs at a time for each partner, which a unique index guarantees.
 * @throws Refusal `certification_running`, `rate_limited`, or `validation_failed` for the endpoint
 */
export async function startRun(
  ctx: Ctx<PartnerActor>,
  input: CertificationInput,
  version: string,
): Promise<CertificationOutput> {
  const { tx, now, actor } = ctx;
  const { partnerId } = actor;
  const endpoint = chooseEndpoint(await listEndpoints(tx, partnerId), input.endpoint_id);
  if (input.anyway && !isLoopback(endpoint.url)) {
    throw invalid(
      'anyway',
      'is for a receiver on the service’s own machine, such as http://localhost:3000',
    );
  }
  await tx.run(sql`
    update certification set state = 'abandoned'
    where partner_id = ${partnerId} and state = 'running'
      and last_step_at < ${new Date(now.getTime() - abandonedMs)}`);
  const { count } = await tx.one(
    countRow,
    sql`
    select /* many rows: at most 50 runs of a partner are kept */
      count(*)::integer as count from certification
    where partner_id = ${partnerId} and id >= ${firstIdAt('crt', new Date(now.getTime() - 3_600_000))}`,
  );
  if (count >= mostRunsPerHour) {
    throw new Refusal('rate_limited', {
      message: `You have started ${count} runs in the last hour, and ${mostRunsPerHour} are the most. Wait, or continue the last one.`,
    });
  }
  const id = newId('crt', now);
  const inserted = await tx.run(sql`
    insert into certification (partner_id, id, state, endpoint_id, endpoint_url, tenant_query_url,
      product_variant, tenants, anyway, service_version, created_at, last_step_at)
    values (${partnerId}, ${id}, 'running', ${endpoint.id}, ${endpoint.url},
      ${input.tenant_query_url ?? null}, ${input.product_variant ?? 'rent'},
      ${input.tenants ?? []}::text[], ${input.anyway ?? false}, ${version}, ${now}, ${now})
    on conflict (partner_id) where state = 'running' do nothing`);
  if (inserted === 0) throw running((await findRunning(ctx))?.id);
  await tx.run(sql`
    delete /* many rows: at most 50 runs of a partner are kept */ from certification
    where partner_id = ${partnerId} and id < (
      select id from certification where partner_id = ${partnerId}
      order by id desc offset ${keptRuns - 1} limit 1)`);
  return readCertification(ctx, { id });
}

/** Returns whether requests to this address stay on the service's own machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[0-9.]{1,11}$/.test(hostname);
}

function chooseEndpoint(
  endpoints: readonly EndpointView[],
  given: string | undefined,
): EndpointView {
  const enabled = endpoints.filter(({ state }) => state === 'enabled');
  const names = (given === undefined ? enabled : endpoints)
    .slice(0, 5)
    .map(({ id, url }) => `${id} (${new URL(url).origin}${new URL(url).pathname})`)
    .join(', ');
  if (given === undefined) {
    const [only, another] = enabled;
    if (only && !another) return requireUnfiltered(only);
    throw invalid(
      'endpoint_id',
      only
        ? `is needed, because several endpoints are enabled: ${names}`
        : endpoints.length === 0
          ? 'is needed, and there is no endpoint: create one with POST /v1/webhooks/endpoints'
          : 'is needed, and every endpoint is disabled: enable one',
    );
  }
  const found = endpoints.find(({ id, uid }) => id === given || uid === given);
  if (!found) {
    throw invalid('endpoint_id', `is not one of yours${names ? `, which are ${names}` : ''}`);
  }
  if (found.state !== 'enabled') {
    throw invalid('endpoint_id', 'names an endpoint that is disabled: enable it first');
  }
  return requireUnfiltered(found);
}

/** Refuses an endpoint with a filter or channels, which would keep back webhooks that the cases are about. */
function requireUnfiltered(endpoint: EndpointView): EndpointView {
  const { filter, channels } = endpoint;
  if (filter === null && channels === null) return endpoint;
  throw invalid(
    'endpoint_id',
    `names an endpoint with ${filter === null ? 'channels' : 'a filter'}, so it does not get every webhook of a tenant: create one without for the same address`,
  );
}

function running(id: string | undefined): Refusal {
  return new Refusal('certification_running', {
    message: `The run ${id ?? ''} is not finished. Continue it, finish it with POST /v1/certifications/${id ?? '{id}'}/finish, or start another one ten minutes after its last step.`,
  });
}

function invalid(param: string, message: string): Refusal {
  return new Refusal('validation_failed', {
    errors: [{ param, code: 'invalid_value', message }],
  });
}
