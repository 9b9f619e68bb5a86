import {
  attemptOutput,
  createEndpointInput,
  type EndpointOutput,
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
  endpointIdOf,
  getEndpoint,
  hasOtherSubscriber,
  listEndpointHealth,
  listEndpoints,
  revealSecret,
  rotateSecret,
  updateEndpoint,
} from '@svc/webhooks';
import { z } from 'zod';
import type { Ctx, Service } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import { type AuditEntry, emitOperational, testMessage } from '../../domain/index.ts';
import { givenFields } from '../input/given-fields.ts';
import { memberText } from '../input/member-text.ts';
import { paginate } from '../input/paginate.ts';
import { byId, type Route, route } from '../route.ts';
import { shortListQuery } from './list-filter.ts';

const webhooks = { who: 'key_or_portal', tag: 'Webhooks' } as const;

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
    query: shortListQuery,
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
    audit: {
      entry: ({ input, result }) => ({
        action: 'endpoint.created',
        endpoint_id: result.id,
        details: { url: input.body.url },
      }),
    },
    before: (ctx, { body }) => checkUrl(body.url, ctx.service.webhookPolicy),
    async verb(ctx, { body }) {
      const { tx, service, actor, now } = ctx;
      const given = givenFields(body);
      const created = await createEndpoint(tx, depsOf(service), actor.partnerId, given, now);
      await notifyOtherEndpoints(ctx, 'endpoint.created', created.id, { url: created.url });
      return created;
    },
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints/health',
    kind: 'query',
    summary: 'Read the success rate of each endpoint in the last 24 hours, and its last failure',
    query: shortListQuery,
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
    verb: async (ctx, { params }) =>
      getEndpoint(ctx.tx, ctx.actor.partnerId, await endpointId(ctx, params)),
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
    audit: {
      prior: readEndpoint,
      entry: ({ input, prior }) => describeUpdate(input.body, prior),
    },
    async before(ctx, { body }) {
      if (body.url !== undefined) await checkUrl(body.url, ctx.service.webhookPolicy);
    },
    async verb(ctx, { params, body }) {
      const { tx, service, actor, now } = ctx;
      const { secret: _secret, ...change } = body;
      const given = givenFields(change);
      const id = await endpointId(ctx, params);
      const changed = await updateEndpoint(tx, depsOf(service), actor.partnerId, id, given, now);
      await notifyOtherEndpoints(ctx, 'endpoint.updated', id, { changed: Object.keys(given) });
      return changed;
    },
  }),
  route({
    ...webhooks,
    method: 'DELETE',
    path: '/webhooks/endpoints/{id}',
    kind: 'command',
    summary: 'Delete an endpoint and skip its pending deliveries',
    params: byId,
    output: z.null(),
    audit: {
      prior: readEndpoint,
      entry: ({ prior: { id, url } }) => ({
        action: 'endpoint.deleted',
        endpoint_id: id,
        details: { url },
      }),
    },
    async verb(ctx, { params }) {
      const { tx, actor, now } = ctx;
      const { id, url } = await getEndpoint(tx, actor.partnerId, await endpointId(ctx, params));
      await deleteEndpoint(tx, actor.partnerId, id, now);
      await notifyOtherEndpoints(ctx, 'endpoint.deleted', id, { url });
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
    audit: {
      prior: findEndpointId,
      entry: ({ prior }) => ({ action: 'secret.revealed', endpoint_id: prior }),
    },
    verb: async (ctx, { params }) =>
      revealSecret(
        ctx.tx,
        ctx.service,
        ctx.actor.partnerId,
        await endpointId(ctx, params),
        ctx.now,
      ),
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/endpoints/{id}/secret/rotate',
    kind: 'command',
    summary: 'Create a new signing secret; the old one also signs until its overlap ends',
    params: byId,
    body: rotateSecretInput,
    output: secretOutput,
    audit: {
      prior: findEndpointId,
      entry: ({ input: { body }, prior }) => ({
        action: 'secret.rotated',
        endpoint_id: prior,
        details: { overlap_seconds: body.overlap_seconds },
      }),
    },
    async verb(ctx, { params, body }) {
      const { tx, service, actor, now } = ctx;
      return rotateSecret(tx, service, actor.partnerId, await endpointId(ctx, params), body, now);
    },
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/endpoints/{id}/test',
    kind: 'action',
    summary: 'Send an example or your own data now, and get the attempt',
    params: byId,
    body: testSendInput,
    output: attemptOutput,
    exactBody: true,
    audit: {
      prior: findEndpointId,
      entry: ({ input: { body }, result: { message_id, succeeded }, prior }) => ({
        action: 'test.sent',
        endpoint_id: prior,
        subject_id: message_id,
        details: { event_type: body.event_type, succeeded },
      }),
    },
    verb: async (ctx, { params, body: { event_type } }) => {
      const message = testMessage(ctx, {
        event_type,
        data_text: memberText(ctx.http.bodyText, 'data'),
      });
      return ctx.sendTest(await endpointId(ctx, params), message);
    },
  }),
];

type PartnerCtx = Ctx<PartnerActor>;

function findEndpointId(ctx: PartnerCtx, { params }: { params: { id: string } }): Promise<string> {
  return endpointId(ctx, params);
}

async function readEndpoint(
  ctx: PartnerCtx,
  { params }: { params: { id: string } },
): Promise<EndpointOutput> {
  return getEndpoint(ctx.tx, ctx.actor.partnerId, await endpointId(ctx, params));
}

/** Names of the changed fields, and those values that cannot hold credentials. */
function describeUpdate(
  { url, state, held, ...rest }: z.output<typeof updateEndpointInput>,
  before: EndpointOutput,
): AuditEntry {
  const changed = Object.keys(givenFields({ url, state, held, ...rest }));
  return {
    action: 'endpoint.updated',
    endpoint_id: before.id,
    details: {
      changed,
      ...(url !== undefined && url !== before.url ? { url, url_before: before.url } : {}),
      ...(state === undefined ? {} : { state }),
      ...(held === undefined ? {} : { held }),
    },
  };
}

/** The id of the endpoint in a path, which may also be its uid. */
function endpointId({ tx, actor }: PartnerCtx, { id }: { id: string }): Promise<string> {
  return endpointIdOf(tx, actor.partnerId, id);
}

/** Publishes an event about one endpoint to the partner's other endpoints, if any of them subscribes to it. */
async function notifyOtherEndpoints(
  ctx: PartnerCtx,
  type: 'endpoint.created' | 'endpoint.updated' | 'endpoint.deleted',
  id: string,
  data: Record<string, unknown>,
): Promise<void> {
  const owner = ctx.actor.partnerId;
  if (!(await hasOtherSubscriber(ctx.tx, owner, type, id))) return;
  await emitOperational(ctx, {
    owner,
    type,
    endpointId: id,
    data: { endpoint_id: id, ...data },
  });
}
