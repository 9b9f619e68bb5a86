import {
  apiKeysOutput,
  type CreatedApiKeyOutput,
  createApiKeyInput,
  createdApiKeyOutput,
  exampleIds,
  requestDetailOutput,
  requestsOutput,
  requestsQuery,
  revokedApiKeyOutput,
  rotateApiKeyInput,
  rotatedApiKeyOutput,
  shortListQuery,
  tenantsOutput,
  tenantsQuery,
} from '@svc/contract';
import {
  createPartnerKey,
  describeCreatedKey,
  listPartnerKeys,
  revokePartnerKey,
  rotatePartnerKey,
} from '../../domain/access/partner-keys.ts';
import { listTenants } from '../../domain/intake/list-tenants.ts';
import { listRequests, readRequest } from '../../domain/requests/request-log.ts';
import { paginate } from '../input/paginate.ts';
import { byIdOf, type Route, route } from '../route.ts';

const keyId = byIdOf('Id of the key.', exampleIds.key);
const admin = {
  who: 'key_or_portal',
  keyScope: 'everything',
  scope: 'admin',
  tag: 'Partner',
} as const;

const keyShownOnce = {
  withoutSecret: <K extends CreatedApiKeyOutput>(created: K): K => ({ ...created, api_key: null }),
  repeat: describeCreatedKey,
};

/** The pages of the console for developers: the request log, API keys and tenants. */
export const consoleRoutes: readonly Route[] = [
  route({
    ...admin,
    method: 'GET',
    path: '/partner/requests',
    kind: 'query',
    summary: 'List the calls of your backend',
    docs: {
      id: 'listRequests',
      description:
        'Returns the calls that your backend made with an API key in the last 7 days, newest first. A call appears within a second or so. Calls with wrong credentials are not logged; under overload, calls can be missing.',
      node: 'svc.requests.list({query})',
      query: { status: '4xx', limit: 20 },
    },
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
    summary: 'Read a call of your backend',
    docs: {
      id: 'getRequest',
      description:
        'Returns one call by the `X-Request-Id` of its response, with its redacted body and its error.',
      node: 'svc.requests.get({id})',
      errors: ['request_not_found'],
    },
    params: byIdOf('The `X-Request-Id` of the response.', exampleIds.request),
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
    summary: 'List your API keys',
    docs: {
      id: 'listApiKeys',
      description: 'Returns your keys without their secrets, newest first, revoked ones included.',
      node: 'svc.apiKeys.list()',
    },
    query: shortListQuery,
    output: apiKeysOutput,
    verb: async (ctx, { query }) => paginate(await listPartnerKeys(ctx), query),
  }),
  route({
    ...admin,
    method: 'POST',
    path: '/partner/api_keys',
    freshLink: true,
    kind: 'command',
    summary: 'Create an API key',
    docs: {
      id: 'createApiKey',
      description:
        'Creates a key and returns its secret, which no other response contains: a repeated Idempotency-Key gets `api_key: null` and the present state of the key. At most 20 keys work at a time.',
      node: 'svc.apiKeys.create({body})',
    },
    body: createApiKeyInput,
    output: createdApiKeyOutput,
    shownOnce: keyShownOnce,
    audit: 'in_verb',
    verb: (ctx, { body }) => createPartnerKey(ctx, body),
  }),
  route({
    ...admin,
    method: 'POST',
    path: '/partner/api_keys/{id}/rotate',
    freshLink: true,
    kind: 'command',
    summary: 'Rotate an API key',
    docs: {
      id: 'rotateApiKey',
      description:
        'Returns a new key with the same name. The old one works for `overlap_hours` more, for the API and for widget signatures; then console sessions that its links opened end.',
      node: 'svc.apiKeys.rotate({id}, {body})',
      errors: ['api_key_not_found', 'version_conflict'],
    },
    params: keyId,
    body: rotateApiKeyInput,
    output: rotatedApiKeyOutput,
    shownOnce: keyShownOnce,
    audit: 'in_verb',
    endsKeys: true,
    verb: (ctx, { params, body }) => rotatePartnerKey(ctx, { ...params, ...body }),
  }),
  route({
    ...admin,
    method: 'DELETE',
    path: '/partner/api_keys/{id}',
    freshLink: true,
    kind: 'command',
    summary: 'Revoke an API key',
    docs: {
      id: 'revokeApiKey',
      description:
        'Calls and widget signatures with this key fail at once, and console sessions that its links opened end. The last key that works cannot be revoked.',
      node: 'svc.apiKeys.revoke({id})',
      errors: ['api_key_not_found', 'last_api_key'],
    },
    params: keyId,
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
    summary: 'List your tenants',
    docs: {
      id: 'listTenants',
      description:
        'Returns tenants with balance, plan and clock, newest first; with `search`, in the order of their external ids.',
      node: 'svc.tenants.list({query})',
      query: { search: 't-1', limit: 20 },
    },
    query: tenantsQuery,
    output: tenantsOutput,
    verb: (ctx, { query }) => listTenants(ctx, query),
  }),
];
