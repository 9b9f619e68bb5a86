import { isDeepStrictEqual } from 'node:util';
import {
  type AllowedOriginsOutput,
  allowedOriginsInput,
  allowedOriginsOutput,
  debitAccountOutput,
  eventsQuery,
  exampleIds,
  experienceResult,
  experienceResultInput,
  externalId,
  listOf,
  partnerOutput,
  planOutput,
  portalInfoBodyInput,
  portalInfoInput,
  portalInfoOutput,
  portalInfoQuery,
  portalTokenInput,
  portalTokenOutput,
  revokedOutput,
  revokedUrlsOutput,
  tenantOutput,
  webhookEnvelope,
  webhookPortalUrlOutput,
  webhookPortalUrlQuery,
} from '@svc/contract';
import { listEvents } from '@svc/webhooks';
import { z } from 'zod';
import { debitAccountOf } from '../../debit-accounts.ts';
import { useResult } from '../../domain/access/hosted-results.ts';
import { createPortalLink } from '../../domain/access/portal-links.ts';
import { revokePortalSessions } from '../../domain/access/portal-sessions.ts';
import { createPortalToken } from '../../domain/access/portal-tokens.ts';
import { revokeLinksOf } from '../../domain/intake/hosted-links.ts';
import { readTenant } from '../../domain/intake/read-tenant.ts';
import { recordPortalInfo } from '../../domain/intake/record-portal-info.ts';
import {
  lockAllowedOrigins,
  readAllowedOrigins,
  requireAllowedOrigins,
  setAllowedOrigins,
} from '../../domain/partners/allowed-origins.ts';
import { readPlan } from '../../domain/plans/read-plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { byIdOf, JsonText, type Route, route } from '../route.ts';

const byTenant = z.strictObject({ external_id: externalId });

const portalInfoAudit = {
  none: 'Runs on each click of a tenant. The event tenant.updated reports what changed.',
} as const;

const owner = {
  first_name: 'Carol',
  last_name: 'Whitfield',
  email: 'carol@example.com',
  product_variant: 'hoa',
  charges: [
    {
      id: 'D-1',
      type: 'hoa_dues',
      description: 'Dues, first quarter',
      due_date: '2026-01-01',
      amount_in_cents: 90000,
    },
    {
      id: 'D-2',
      type: 'hoa_assessment',
      description: 'Roof assessment',
      due_date: '2026-01-01',
      amount_in_cents: 60000,
    },
  ],
  lease: {
    id: 'M-17',
    starts_on: '2021-04-01',
    late_fee_from: '2026-01-16',
    property: {
      id: 'A-3',
      name: 'Cedar Hill Homeowners Association',
      state: 'CO',
      time_zone: 'America/Denver',
    },
  },
};

export const partnerRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/tenant/portal_info/{external_id}',
    recorded: true,
    who: 'key',
    keyScope: 'tokens',
    kind: 'command',
    tag: 'Tenants',
    summary: 'Send a tenant’s data and get a tenant token',
    docs: {
      id: 'createTenantToken',
      description:
        'Call it when the tenant clicks the widget: it stores what you know about the tenant and the charges, and returns a token with which the frame opens for this tenant only. Omitted optional fields keep the stored value; null clears it. `charges` replaces the stored charges. Send the same data again whenever it changes; nothing happens if it did not.',
      node: 'svc.portalInfo({external_id}, {body})',
      otherBodies: {
        dues: { summary: 'Send an owner who pays dues to an association', value: owner },
      },
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
    recorded: true,
    who: 'key',
    keyScope: 'tokens',
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
    method: 'DELETE',
    path: '/tenants/{external_id}/experience_urls',
    who: 'key',
    keyScope: 'tokens',
    kind: 'command',
    tag: 'Tenants',
    summary: 'Turn off the links to our page',
    docs: {
      id: 'revokeExperienceUrls',
      description:
        'Turns off every `experience_url` of the tenant, and ends the pages that they opened. Use it when a message went to a wrong address.',
      errors: ['tenant_not_found'],
      node: 'svc.tenants.revokeExperienceUrls({external_id})',
    },
    params: byTenant,
    output: revokedUrlsOutput,
    audit: { none: 'The links were made for one tenant, and end within three days anyway.' },
    verb: (ctx, { params }) => revokeLinksOf(ctx, params),
  }),
  route({
    method: 'POST',
    path: '/experience_results',
    who: 'key',
    keyScope: 'tokens',
    kind: 'command',
    tag: 'Tenants',
    summary: 'Use the result of our page',
    docs: {
      id: 'useExperienceResult',
      description:
        'Checks `svc_result`, with which the tenant came back from `experience_url`, and returns what it says. Each result works once, for 10 minutes.',
      errors: ['result_invalid', 'result_used'],
      node: 'svc.useExperienceResult({body})',
    },
    body: experienceResultInput,
    output: experienceResult,
    audit: { none: 'Changes nothing but that the result was used.' },
    verb: (ctx, { body }) => useResult(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/tenants/{external_id}',
    who: 'key_or_portal',
    keyScope: 'read',
    scope: 'admin',
    views: ['tenant_plan'],
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
    keyScope: 'read',
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
    keyScope: 'webhooks',
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
    keyScope: 'any',
    kind: 'query',
    tag: 'Partner',
    summary: 'Read whose API key this is',
    docs: {
      id: 'getPartner',
      description:
        'Returns the name of your portal, the environment of the key and what it may do: a quick test of all three.',
      node: 'svc.getPartner()',
    },
    output: partnerOutput,
    verb: async ({ actor, service }) => ({
      pms: actor.pms,
      environment: service.environment,
      scopes: [...actor.keyScopes],
    }),
  }),
  route({
    method: 'GET',
    path: '/partner/debit_account',
    who: 'key_or_portal',
    keyScope: 'settlements',
    scope: 'admin',
    kind: 'query',
    tag: 'Plans and settlements',
    summary: 'Read the account that you debit',
    // Someone who finds an unattended console must not get the account number.
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
    keyScope: 'everything',
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
    method: 'POST',
    path: '/portal_tokens',
    who: 'key',
    keyScope: 'everything',
    kind: 'command',
    tag: 'Partner',
    summary: 'Create a token for one view of the console',
    docs: {
      id: 'createPortalToken',
      description:
        'For the components of `@svc/react/staff` and `@svc/core/staff`, which show the view in a frame on a page of your back office. Call it after you have checked that the person may see the view. The page must be of an allowed origin.',
      errors: ['no_allowed_origins', 'tenant_not_found'],
      node: 'svc.portalToken({body})',
    },
    body: portalTokenInput,
    output: portalTokenOutput,
    audit: {
      // A page gets a new one every few minutes. Without a write or a secret there is nothing to record.
      entry: ({ input: { body } }) =>
        body.read_only
          ? null
          : {
              action: 'portal.token_created',
              details: { view: body.view, ...(body.person && { person: body.person }) },
            },
    },
    async verb(ctx, { body }) {
      await requireAllowedOrigins(ctx);
      const { external_id } = body;
      // The tenant must be known, so that a wrong id is found here and not by the person at the page.
      if (external_id !== undefined) await readTenant(ctx, { external_id });
      return createPortalToken(ctx, body);
    },
  }),
  route({
    method: 'DELETE',
    path: '/partner/webhook_portal_sessions',
    who: 'key',
    keyScope: 'everything',
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
    keyScope: 'everything',
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
    keyScope: 'everything',
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
      entry: ({ result, prior }) => {
        const details = {
          ...changed('allowed_origins', result, prior),
          ...changed('app_schemes', result, prior),
        };
        return isDeepStrictEqual(details, {})
          ? null
          : { action: 'partner.origins_changed', details };
      },
    },
    verb: (ctx, { body }) => setAllowedOrigins(ctx, body),
  }),
];

/** The list after and before the call, if the call changed it. */
function changed<Name extends keyof AllowedOriginsOutput>(
  name: Name,
  result: Readonly<AllowedOriginsOutput>,
  prior: Readonly<Record<Name, readonly string[]>>,
) {
  if (isDeepStrictEqual(result[name], prior[name])) return {};
  return { [name]: result[name], [`${name}_before`]: [...prior[name]] };
}
