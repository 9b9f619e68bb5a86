import { isDeepStrictEqual } from 'node:util';
import {
  allowedOriginsInput,
  allowedOriginsOutput,
  eventsQuery,
  externalId,
  listOf,
  partnerOutput,
  planOutput,
  portalInfoBodyInput,
  portalInfoInput,
  portalInfoOutput,
  portalInfoQuery,
  revokedOutput,
  tenantOutput,
  webhookEnvelope,
  webhookPortalUrlOutput,
  webhookPortalUrlQuery,
} from '@svc/contract';
import { listEvents } from '@svc/webhooks';
import { z } from 'zod';
import {
  createPortalLink,
  lockAllowedOrigins,
  readAllowedOrigins,
  readPlan,
  readTenant,
  recordPortalInfo,
  revokePortalSessions,
  setAllowedOrigins,
} from '../../domain/index.ts';
import { byId, JsonText, type Route, route } from '../route.ts';

const byTenant = z.strictObject({ external_id: externalId });

const portalInfoAudit = {
  none: 'Runs on each click of a tenant. The event tenant.updated reports what changed.',
} as const;

export const partnerRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/tenant/portal_info/{external_id}',
    who: 'key',
    kind: 'command',
    tag: 'Tenants',
    summary: 'Send the portal’s data about a tenant and get a tenant token',
    params: byTenant,
    query: portalInfoQuery,
    body: portalInfoInput,
    output: portalInfoOutput,
    audit: portalInfoAudit,
    verb: (ctx, { params, query, body }) =>
      recordPortalInfo(ctx, {
        external_id: params.external_id,
        input: body,
        dry_run: query.dry_run ?? false,
      }),
  }),
  route({
    method: 'POST',
    path: '/portal_info',
    who: 'key',
    kind: 'command',
    tag: 'Tenants',
    summary: 'Send the portal’s data about a tenant, with the external id in the body',
    query: portalInfoQuery,
    body: portalInfoBodyInput,
    output: portalInfoOutput,
    audit: portalInfoAudit,
    verb: (ctx, { query, body: { external_id, ...input } }) =>
      recordPortalInfo(ctx, { external_id, input, dry_run: query.dry_run ?? false }),
  }),
  route({
    method: 'GET',
    path: '/tenants/{external_id}',
    who: 'key_or_portal',
    scope: 'admin',
    kind: 'query',
    tag: 'Tenants',
    summary: 'Read the state of a tenant',
    params: byTenant,
    output: tenantOutput,
    verb: (ctx, { params }) => readTenant(ctx, params),
  }),
  route({
    method: 'GET',
    path: '/plans/{id}',
    who: 'key_or_portal',
    scope: 'admin',
    kind: 'query',
    tag: 'Plans and settlements',
    summary: 'Read a plan',
    params: byId,
    output: planOutput,
    verb: (ctx, { params }) => readPlan(ctx, params),
  }),
  route({
    method: 'GET',
    path: '/events',
    who: 'key',
    kind: 'query',
    tag: 'Webhooks',
    summary: 'Read webhook bodies in commit order, as a fallback to receiving them',
    query: eventsQuery,
    output: listOf(webhookEnvelope),
    async verb(ctx, { query }) {
      const { after = null, limit } = query;
      const page = await listEvents(ctx.tx, ctx.actor.partnerId, after, limit);
      const items = page.items.map(({ body }) => body);
      const next = page.has_more ? (page.items.at(-1)?.id ?? null) : null;
      return new JsonText(`{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(next)}}`);
    },
  }),
  route({
    method: 'GET',
    path: '/partner',
    who: 'key',
    kind: 'query',
    tag: 'Partner',
    summary: 'Read whose API key this is',
    output: partnerOutput,
    verb: async ({ actor, service }) => ({ pms: actor.pms, environment: service.environment }),
  }),
  route({
    method: 'GET',
    path: '/partner/webhook_portal_url',
    who: 'key',
    kind: 'command',
    tag: 'Partner',
    summary: 'Get a single-use link to the webhook portal, valid for 10 minutes',
    query: webhookPortalUrlQuery,
    output: webhookPortalUrlOutput,
    audit: 'in_verb',
    verb: (ctx, { query }) =>
      createPortalLink(ctx, {
        ...query,
        scope: query.scope ?? 'webhooks',
        read_only: query.read_only ?? false,
      }),
  }),
  route({
    method: 'DELETE',
    path: '/partner/webhook_portal_sessions',
    who: 'key',
    kind: 'command',
    tag: 'Partner',
    summary: 'Sign everyone out of the webhook portal',
    output: revokedOutput,
    audit: 'in_verb',
    verb: (ctx) => revokePortalSessions(ctx),
  }),
  route({
    method: 'GET',
    path: '/partner/allowed_origins',
    who: 'key_or_portal',
    scope: 'admin',
    kind: 'query',
    tag: 'Partner',
    summary: 'Read which pages may show the widget',
    output: allowedOriginsOutput,
    verb: (ctx) => readAllowedOrigins(ctx),
  }),
  route({
    method: 'PUT',
    path: '/partner/allowed_origins',
    who: 'key_or_portal',
    scope: 'admin',
    kind: 'command',
    tag: 'Partner',
    summary: 'Replace the list of pages that may show the widget',
    body: allowedOriginsInput,
    output: allowedOriginsOutput,
    audit: {
      prior: (ctx) => lockAllowedOrigins(ctx),
      entry: ({ result: { allowed_origins }, prior: allowed_origins_before }) =>
        isDeepStrictEqual(allowed_origins, allowed_origins_before)
          ? null
          : {
              action: 'partner.origins_changed',
              details: { allowed_origins, allowed_origins_before: [...allowed_origins_before] },
            },
    },
    verb: (ctx, { body }) => setAllowedOrigins(ctx, body),
  }),
];
