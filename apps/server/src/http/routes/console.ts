import {
  apiKeysOutput,
  createApiKeyInput,
  createdApiKeyOutput,
  requestDetailOutput,
  requestsOutput,
  requestsQuery,
  revokedApiKeyOutput,
  rotateApiKeyInput,
  rotatedApiKeyOutput,
  tenantsOutput,
  tenantsQuery,
} from '@svc/contract';
import {
  createPartnerKey,
  listPartnerKeys,
  listRequests,
  listTenants,
  readRequest,
  revokePartnerKey,
  rotatePartnerKey,
} from '../../domain/index.ts';
import { paginate } from '../input/paginate.ts';
import { byId, type Route, route } from '../route.ts';
import { shortListQuery } from './list-filter.ts';

const admin = { who: 'key_or_portal', scope: 'admin', tag: 'Partner' } as const;

/** The console around the webhook portal: the request log, API keys and tenants. */
export const consoleRoutes: readonly Route[] = [
  route({
    ...admin,
    method: 'GET',
    path: '/partner/requests',
    kind: 'query',
    summary: 'List the calls of your backend in the last 7 days, newest first',
    query: requestsQuery,
    output: requestsOutput,
    async verb(ctx, { query }) {
      await ctx.writeRequestLog();
      return listRequests(ctx, query);
    },
  }),
  route({
    ...admin,
    method: 'GET',
    path: '/partner/requests/{id}',
    kind: 'query',
    summary: 'Read one call by its X-Request-Id, with its redacted body and error',
    params: byId,
    output: requestDetailOutput,
    async verb(ctx, { params }) {
      await ctx.writeRequestLog();
      return readRequest(ctx, params);
    },
  }),
  route({
    ...admin,
    method: 'GET',
    path: '/partner/api_keys',
    kind: 'query',
    summary: 'List your API keys, newest first, without their secrets',
    query: shortListQuery,
    output: apiKeysOutput,
    verb: async (ctx, { query }) => paginate(await listPartnerKeys(ctx), query),
  }),
  route({
    ...admin,
    method: 'POST',
    path: '/partner/api_keys',
    kind: 'command',
    summary: 'Create an API key, whose secret is returned once',
    body: createApiKeyInput,
    output: createdApiKeyOutput,
    audit: 'in_verb',
    verb: (ctx, { body }) => createPartnerKey(ctx, body),
  }),
  route({
    ...admin,
    method: 'POST',
    path: '/partner/api_keys/{id}/rotate',
    kind: 'command',
    summary: 'Replace an API key; the old one works for `overlap_hours`',
    params: byId,
    body: rotateApiKeyInput,
    output: rotatedApiKeyOutput,
    audit: 'in_verb',
    endsKeys: true,
    verb: (ctx, { params, body }) => rotatePartnerKey(ctx, { ...params, ...body }),
  }),
  route({
    ...admin,
    method: 'DELETE',
    path: '/partner/api_keys/{id}',
    kind: 'command',
    summary: 'Revoke an API key at once, with the portal sessions of its links',
    params: byId,
    output: revokedApiKeyOutput,
    audit: 'in_verb',
    endsKeys: true,
    verb: (ctx, { params }) => revokePartnerKey(ctx, params),
  }),
  route({
    ...admin,
    method: 'GET',
    path: '/partner/tenants',
    kind: 'query',
    tag: 'Tenants',
    summary: 'List your tenants with balance, plan and clock, newest first',
    query: tenantsQuery,
    output: tenantsOutput,
    verb: (ctx, { query }) => listTenants(ctx, query),
  }),
];
