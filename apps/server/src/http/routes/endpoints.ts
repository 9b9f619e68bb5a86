import {
  attemptOutput,
  createEndpointInput,
  endpointHealthOutput,
  endpointOutput,
  listOf,
  rotateSecretInput,
  secretOutput,
  testSendInput,
  updateEndpointInput,
} from '@svc/contract';
import {
  checkUrl,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpointHealth,
  listEndpoints,
  revealSecret,
  rotateSecret,
  updateEndpoint,
} from '@svc/webhooks';
import { z } from 'zod';
import type { Service } from '../../context.ts';
import { testMessage } from '../../domain/index.ts';
import { givenFields } from '../input/given-fields.ts';
import { paginate } from '../input/paginate.ts';
import { type Route, route } from '../route.ts';
import { pageQuery } from './page-query.ts';

const webhooks = { who: 'key_or_portal', tag: 'Webhooks' } as const;
const byId = z.strictObject({ id: z.string().min(1).max(255) });

function depsOf({ vault, webhookPolicy }: Service) {
  return { vault, policy: webhookPolicy };
}

export const endpointRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints',
    kind: 'query',
    summary: 'List endpoints, oldest first',
    query: pageQuery,
    output: listOf(endpointOutput),
    verb: async (ctx, { query }) =>
      paginate(await listEndpoints(ctx.tx, ctx.actor.partnerId), query),
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/endpoints',
    kind: 'command',
    summary: 'Create an endpoint',
    body: createEndpointInput,
    output: endpointOutput,
    before: (ctx, { body }) => checkUrl(body.url, ctx.service.webhookPolicy),
    verb: ({ tx, service, actor, now }, { body }) =>
      createEndpoint(tx, depsOf(service), actor.partnerId, givenFields(body), now),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints/health',
    kind: 'query',
    summary: 'Read how each endpoint did in the last 24 hours, and how it failed last',
    query: pageQuery,
    output: listOf(endpointHealthOutput),
    verb: async (ctx, { query }) =>
      paginate(await listEndpointHealth(ctx.tx, ctx.actor.partnerId, ctx.now), query),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints/{id}',
    kind: 'query',
    summary: 'Read an endpoint',
    params: byId,
    output: endpointOutput,
    verb: (ctx, { params }) => getEndpoint(ctx.tx, ctx.actor.partnerId, params.id),
  }),
  route({
    ...webhooks,
    method: 'PATCH',
    path: '/webhooks/endpoints/{id}',
    kind: 'command',
    summary: 'Change, enable or disable an endpoint',
    wakes: true,
    params: byId,
    body: updateEndpointInput,
    output: endpointOutput,
    async before(ctx, { body }) {
      if (body.url !== undefined) await checkUrl(body.url, ctx.service.webhookPolicy);
    },
    verb({ tx, service, actor, now }, { params, body }) {
      const { secret: _secret, ...change } = body;
      return updateEndpoint(
        tx,
        depsOf(service),
        actor.partnerId,
        params.id,
        givenFields(change),
        now,
      );
    },
  }),
  route({
    ...webhooks,
    method: 'DELETE',
    path: '/webhooks/endpoints/{id}',
    kind: 'command',
    summary: 'Delete an endpoint; what was still to be sent to it is skipped',
    params: byId,
    output: z.null(),
    async verb({ tx, actor, now }, { params }) {
      await deleteEndpoint(tx, actor.partnerId, params.id, now);
      return null;
    },
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints/{id}/secret',
    kind: 'query',
    summary: 'Read the signing secret',
    secret: true,
    params: byId,
    output: secretOutput,
    verb: ({ tx, service, actor, now }, { params }) =>
      revealSecret(tx, service, actor.partnerId, params.id, now),
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/endpoints/{id}/secret/rotate',
    kind: 'command',
    summary: 'Make a new signing secret; the old one signs along for a while',
    params: byId,
    body: rotateSecretInput,
    output: secretOutput,
    verb: ({ tx, service, actor, now }, { params, body }) =>
      rotateSecret(tx, service, actor.partnerId, params.id, body, now),
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/endpoints/{id}/test',
    kind: 'action',
    summary: 'Send an example, or your own data, at once, and get the attempt',
    params: byId,
    body: testSendInput,
    output: attemptOutput,
    verb: async (ctx, { params, body }) =>
      ctx.sendTest(params.id, testMessage(ctx, givenFields(body))),
  }),
];
