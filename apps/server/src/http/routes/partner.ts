import { isDeepStrictEqual } from 'node:util';
import {
  allowedOriginsInput,
  allowedOriginsOutput,
  debitAccountOutput,
  eventsQuery,
  exampleIds,
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
import { debitAccountOf } from '../../debit-accounts.ts';
import { createPortalLink } from '../../domain/access/portal-links.ts';
import { revokePortalSessions } from '../../domain/access/portal-sessions.ts';
import { readTenant } from '../../domain/intake/read-tenant.ts';
import { recordPortalInfo } from '../../domain/intake/record-portal-info.ts';
import {
  lockAllowedOrigins,
  readAllowedOrigins,
  setAllowedOrigins,
} from '../../domain/partners/allowed-origins.ts';
import { readPlan } from '../../domain/plans/read-plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { byIdOf, JsonText, type Route, route } from '../route.ts';

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
    summary: 'Send a tenant’s data and get a tenant token',
    docs: {
      id: 'createTenantToken',
      description:
        'Call it when the tenant clicks the widget: it stores what you know about the tenant and the charges, and returns a token with which the frame opens for this tenant only. Omitted optional fields keep the stored value; null clears it. `charges` replaces the stored charges. Send the same data again whenever it changes; nothing happens if it did not.',
      node: 'svc.portalInfo({external_id}, {body})',
    },
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
    summary: 'Send a tenant’s data with the id in the body',
    docs: {
      id: 'createTenantTokenFromBody',
      description:
        'Does what `createTenantToken` does, for systems that cannot put an id into a path, such as ids that end in a dot.',
    },
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
    summary: 'Read a tenant',
    docs: {
      id: 'getTenant',
      description:
        'Returns whether the tenant can split what is due, and the open plan. It never returns a name, an address or a reason for a decline.',
      errors: ['tenant_not_found'],
      node: 'svc.tenants.get({external_id})',
    },
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
    docs: {
      id: 'getPlan',
      description:
        'Returns the plan with its installments. Webhooks report each change, so you rarely need to poll.',
      errors: ['plan_not_found'],
      node: 'svc.plans.get({id})',
    },
    params: byIdOf('Id of the plan.', exampleIds.plan),
    output: planOutput,
    verb: (ctx, { params }) => readPlan(ctx, params),
  }),
  route({
    method: 'GET',
    path: '/events',
    who: 'key',
    kind: 'query',
    tag: 'Events',
    summary: 'Read webhook bodies in order',
    docs: {
      id: 'listEvents',
      description:
        'Returns the bodies of your webhooks, byte for byte as they are sent, oldest first. Test sends and expunged messages are left out. Continue with `after` set to the last id that you have handled: no event can appear before one that you have read.',
      errors: ['message_not_found'],
      node: 'svc.events.list({query})',
      query: { limit: 20 },
    },
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
    docs: {
      id: 'getPartner',
      description:
        'Returns the name of your portal and the environment of the key: a quick test of both.',
      node: 'svc.getPartner()',
    },
    output: partnerOutput,
    verb: async ({ actor, service }) => ({ pms: actor.pms, environment: service.environment }),
  }),
  route({
    method: 'GET',
    path: '/partner/debit_account',
    who: 'key_or_portal',
    scope: 'admin',
    kind: 'query',
    tag: 'Plans and settlements',
    summary: 'Read the account that you debit',
    // Whoever finds an unattended console gets no account number.
    freshLink: true,
    docs: {
      id: 'getDebitAccount',
      description:
        'Returns the account of ours that you debit for a settlement, and the authorization that allows it. Read it before each run of debits: accounts change.',
      errors: ['debit_account_not_set'],
      node: 'svc.getDebitAccount()',
    },
    output: debitAccountOutput,
    verb: async ({ actor, service }) => {
      const account = debitAccountOf(service.debitAccounts, actor.pms);
      if (account === null) throw new Refusal('debit_account_not_set');
      return { environment: service.environment, ...account };
    },
  }),
  route({
    method: 'GET',
    path: '/partner/webhook_portal_url',
    who: 'key',
    kind: 'command',
    tag: 'Partner',
    summary: 'Get a link to the console',
    docs: {
      id: 'createWebhookPortalLink',
      description:
        'Create the link when a person clicks, and redirect them to it. The link works once, within 10 minutes. What the person does appears in the audit log under the name that you pass.',
      node: 'svc.webhookPortalUrl({ person: "Sam Ortiz" })',
    },
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
    summary: 'Sign everyone out of the console',
    docs: {
      id: 'revokeWebhookPortalSessions',
      description:
        'Ends all sessions of the console and invalidates links that were not opened yet.',
      node: 'svc.revokeWebhookPortalSessions()',
    },
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
    summary: 'Read the allowed origins',
    docs: {
      id: 'getAllowedOrigins',
      description:
        'Returns the origins that may embed the widget and the experience. An empty list means any origin in the sandbox and none in production.',
      node: 'svc.allowedOrigins.get()',
    },
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
    summary: 'Replace the allowed origins',
    docs: {
      id: 'setAllowedOrigins',
      description:
        'Replaces the whole list. Pages of other origins cannot show the widget from then on.',
      node: 'svc.allowedOrigins.set(["https://portal.example"])',
    },
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
