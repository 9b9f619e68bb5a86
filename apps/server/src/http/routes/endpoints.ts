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
  listEndpointHealth,
  listEndpoints,
  othersHear,
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
      const made = await createEndpoint(tx, depsOf(service), actor.partnerId, given, now);
      await tellOthers(ctx, 'endpoint.created', made.id, { url: made.url });
      return made;
    },
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
    verb: async (ctx, { params }) =>
      getEndpoint(ctx.tx, ctx.actor.partnerId, await named(ctx, params)),
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
      prior: readNamed,
      entry: ({ input, prior }) => describeUpdate(input.body, prior),
    },
    async before(ctx, { body }) {
      if (body.url !== undefined) await checkUrl(body.url, ctx.service.webhookPolicy);
    },
    async verb(ctx, { params, body }) {
      const { tx, service, actor, now } = ctx;
      const { secret: _secret, ...change } = body;
      const given = givenFields(change);
      const id = await named(ctx, params);
      const changed = await updateEndpoint(tx, depsOf(service), actor.partnerId, id, given, now);
      await tellOthers(ctx, 'endpoint.updated', id, { changed: Object.keys(given) });
      return changed;
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
    audit: {
      prior: readNamed,
      entry: ({ prior: { id, url } }) => ({
        action: 'endpoint.deleted',
        endpoint_id: id,
        details: { url },
      }),
    },
    async verb(ctx, { params }) {
      const { tx, actor, now } = ctx;
      const { id, url } = await getEndpoint(tx, actor.partnerId, await named(ctx, params));
      await deleteEndpoint(tx, actor.partnerId, id, now);
      await tellOthers(ctx, 'endpoint.deleted', id, { url });
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
      prior: findNamed,
      entry: ({ prior }) => ({ action: 'secret.revealed', endpoint_id: prior }),
    },
    verb: async (ctx, { params }) =>
      revealSecret(ctx.tx, ctx.service, ctx.actor.partnerId, await named(ctx, params), ctx.now),
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
    audit: {
      prior: findNamed,
      entry: ({ input: { body }, prior }) => ({
        action: 'secret.rotated',
        endpoint_id: prior,
        details: { overlap_seconds: body.overlap_seconds },
      }),
    },
    async verb(ctx, { params, body }) {
      const { tx, service, actor, now } = ctx;
      return rotateSecret(tx, service, actor.partnerId, await named(ctx, params), body, now);
    },
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
    exactBody: true,
    audit: {
      prior: findNamed,
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
      return ctx.sendTest(await named(ctx, params), message);
    },
  }),
];

type PartnerCtx = Ctx<PartnerActor>;

/** What an audit entry about one endpoint needs of it. */
function findNamed(ctx: PartnerCtx, { params }: { params: { id: string } }): Promise<string> {
  return named(ctx, params);
}

async function readNamed(
  ctx: PartnerCtx,
  { params }: { params: { id: string } },
): Promise<EndpointOutput> {
  return getEndpoint(ctx.tx, ctx.actor.partnerId, await named(ctx, params));
}

/** The names of the changed fields, and values that hold no credentials. */
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

/** In a path an endpoint may be named by its uid as well. */
function named({ tx, actor }: PartnerCtx, { id }: { id: string }): Promise<string> {
  return endpointIdOf(tx, actor.partnerId, id);
}

/** About this endpoint to the partner's others; where there is none to hear it, nothing is stored. */
async function tellOthers(
  ctx: PartnerCtx,
  type: 'endpoint.created' | 'endpoint.updated' | 'endpoint.deleted',
  endpointId: string,
  data: Record<string, unknown>,
): Promise<void> {
  const owner = ctx.actor.partnerId;
  if (!(await othersHear(ctx.tx, owner, type, endpointId))) return;
  const about = { endpoint_id: endpointId, ...data };
  await emitOperational(ctx, { owner, type, endpointId, data: about });
}
