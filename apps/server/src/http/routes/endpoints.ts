import {
  createEndpointInput,
  type EndpointOutput,
  endpointHealthOutput,
  endpointOutput,
  exampleIds,
  filterPreviewInput,
  filterPreviewOutput,
  listOf,
  publicKeysOutput,
  rotateSecretInput,
  secretOutput,
  shortListQuery,
  testSendInput,
  testSendOutput,
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
  listPublicKeys,
  previewFilter,
  revealSecret,
  rotateSecret,
  rotateSigningKey,
  updateEndpoint,
} from '@svc/webhooks';
import { z } from 'zod';
import type { Ctx, Service } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import type { AuditEntry } from '../../domain/audit/record.ts';
import { emitOperational } from '../../domain/events/operational.ts';
import { testMessage } from '../../domain/intake/publish-custom.ts';
import { findPartnerByPms } from '../../domain/partners/find-partner.ts';
import { Refusal } from '../../domain/refusal.ts';
import { describeMismatches } from '../input/describe-mismatch.ts';
import { describePreview } from '../input/describe-preview.ts';
import { givenFields } from '../input/given-fields.ts';
import { memberText } from '../input/member-text.ts';
import { paginate } from '../input/paginate.ts';
import { byIdOf, type Route, route } from '../route.ts';

const webhooks = {
  who: 'key_or_portal',
  keyScope: 'webhooks',
  views: ['webhooks'],
  tag: 'Webhooks',
} as const;

const byEndpoint = byIdOf('Id of the endpoint, or your `uid` of it.', exampleIds.endpoint);

function depsOf({ vault, webhookPolicy }: Service) {
  return { vault, policy: webhookPolicy };
}

export const endpointRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints',
    kind: 'query',
    tag: 'Webhook endpoints',
    summary: 'List endpoints',
    docs: {
      id: 'listEndpoints',
      description: 'Returns all of your endpoints. Deleted ones are left out.',
      node: 'svc.webhooks.endpoints.list()',
    },
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
    tag: 'Webhook endpoints',
    summary: 'Create an endpoint',
    docs: {
      id: 'createEndpoint',
      description:
        'The URL is checked before it is stored: it must not lead to a private address. Deliveries begin with the next event, or when you enable an endpoint that you create with `state: "disabled"`.',
      errors: ['version_conflict'],
      node: 'svc.webhooks.endpoints.create({body})',
      body: {
        url: 'https://portal.example/api/svc/webhooks',
        description: 'Ledger service',
        event_types: ['plan.*', 'settlement.created'],
        uid: 'ledger',
      },
    },
    body: createEndpointInput,
    output: endpointOutput,
    audit: {
      entry: ({ input, result }) => ({
        action: 'endpoint.created',
        endpoint_id: result.id,
        details: {
          url: input.body.url,
          ...(input.body.state === 'disabled' && { state: 'disabled' }),
        },
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
    tag: 'Webhook endpoints',
    summary: 'Read the health of each endpoint',
    docs: {
      id: 'listEndpointHealth',
      description:
        'Returns one item for each endpoint: deliveries and failures for each of the last 24 hours, and the last failure with a hint.',
      node: 'svc.webhooks.endpoints.health()',
    },
    query: shortListQuery,
    output: listOf(endpointHealthOutput),
    verb: async (ctx, { query }) =>
      paginate(await listEndpointHealth(ctx.tx, ctx.actor.partnerId, ctx.now), query),
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/filter_preview',
    kind: 'query',
    tag: 'Webhook endpoints',
    summary: 'Try a payload filter',
    docs: {
      id: 'previewFilter',
      description:
        'Tries a filter on your newest messages, and changes nothing. Pass the `event_types` and `channels` of the endpoint to check only messages that it would get.',
      node: 'svc.webhooks.endpoints.previewFilter({body})',
      body: { filter: [{ field: 'data.product_variant', equals: 'hoa' }] },
    },
    body: filterPreviewInput,
    output: filterPreviewOutput,
    audit: { none: 'Changes nothing: the filter is in the body because it has a structure.' },
    async verb({ tx, actor }, { body }) {
      const preview = await previewFilter(tx, actor.partnerId, givenFields(body));
      return { ...preview, warnings: describePreview(body, preview) };
    },
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/endpoints/{id}',
    kind: 'query',
    tag: 'Webhook endpoints',
    summary: 'Read an endpoint',
    docs: {
      id: 'getEndpoint',
      description: 'Returns the settings of an endpoint. Read its secret with `getEndpointSecret`.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.endpoints.get({id})',
    },
    params: byEndpoint,
    output: endpointOutput,
    verb: async (ctx, { params }) =>
      getEndpoint(ctx.tx, ctx.actor.partnerId, await endpointId(ctx, params)),
  }),
  route({
    ...webhooks,
    method: 'PATCH',
    path: '/webhooks/endpoints/{id}',
    kind: 'command',
    tag: 'Webhook endpoints',
    summary: 'Change an endpoint',
    docs: {
      id: 'updateEndpoint',
      description:
        'Omitted fields stay as they are; null clears a setting. While an endpoint is disabled its messages are held; when you enable it, `held` decides whether they are sent or skipped.',
      errors: ['endpoint_not_found', 'version_conflict'],
      node: 'svc.webhooks.endpoints.update({id}, {body})',
      body: {
        description: 'Ledger service, second region',
        event_types: ['plan.*', 'settlement.*'],
      },
    },
    wakes: true,
    params: byEndpoint,
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
    tag: 'Webhook endpoints',
    summary: 'Delete an endpoint',
    docs: {
      id: 'deleteEndpoint',
      description:
        'Deletes the endpoint and skips its pending deliveries. Its past deliveries stay in the log.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.endpoints.delete({id})',
    },
    params: byEndpoint,
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
    freshLink: true,
    views: [],
    kind: 'query',
    tag: 'Webhook endpoints',
    summary: 'Read a signing secret',
    docs: {
      id: 'getEndpointSecret',
      description:
        'Returns the secret with which you verify webhooks of this endpoint. Each read is written to the audit log.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.endpoints.secret({id})',
    },
    secret: true,
    params: byEndpoint,
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
    freshLink: true,
    views: [],
    kind: 'command',
    tag: 'Webhook endpoints',
    summary: 'Rotate a signing secret',
    docs: {
      id: 'rotateEndpointSecret',
      description:
        'Creates a new secret and returns it. Until the overlap ends, webhooks carry a signature of each secret, so that you can change your configuration without losing one.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.endpoints.rotateSecret({id}, {body})',
    },
    params: byEndpoint,
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
    path: '/webhooks/endpoints/{id}/public_key/rotate',
    freshLink: true,
    views: [],
    kind: 'command',
    tag: 'Webhook endpoints',
    summary: 'Rotate an ed25519 key pair',
    docs: {
      id: 'rotateEndpointPublicKey',
      description:
        'Creates a new key pair and returns the public keys. Until the overlap ends, webhooks carry a `v1a` signature of each key pair. The secret stays as it is. Needs `asymmetric_signature: true`.',
      errors: ['endpoint_not_found', 'version_conflict'],
      node: 'svc.webhooks.endpoints.rotatePublicKey({id}, {body})',
    },
    params: byEndpoint,
    body: rotateSecretInput,
    output: publicKeysOutput,
    audit: {
      prior: findEndpointId,
      entry: ({ input: { body }, prior }) => ({
        action: 'secret.key_pair_rotated',
        endpoint_id: prior,
        details: { overlap_seconds: body.overlap_seconds },
      }),
    },
    async verb(ctx, { params, body }) {
      const { tx, service, actor, now } = ctx;
      const id = await endpointId(ctx, params);
      return { public_keys: await rotateSigningKey(tx, service, actor.partnerId, id, body, now) };
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/public_keys/{partner}/{endpoint}',
    who: 'anyone',
    kind: 'query',
    tag: 'Webhook endpoints',
    summary: 'Read the public keys of an endpoint',
    internal: true,
    params: z.object({ partner: z.string().max(100), endpoint: z.string().max(100) }),
    output: publicKeysOutput,
    async verb({ tx, now }, { params }) {
      const partner = await findPartnerByPms(tx, params.partner);
      const keys = partner ? await listPublicKeys(tx, partner.id, params.endpoint, now) : [];
      // The refusal does not reveal which partners and endpoints exist.
      if (keys.length === 0) {
        throw new Refusal('not_found', { message: 'There is no public key at this address.' });
      }
      return { public_keys: keys };
    },
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/endpoints/{id}/test',
    kind: 'action',
    tag: 'Webhook endpoints',
    summary: 'Send a test webhook',
    docs: {
      id: 'sendTestWebhook',
      description:
        'Sends one webhook marked `test` to this endpoint only, waits for the response and returns the attempt. It is not retried and not part of `listEvents`.',
      errors: ['endpoint_not_found', 'version_conflict'],
      node: 'svc.webhooks.endpoints.test({id}, {body})',
      body: { event_type: 'plan.activated' },
    },
    params: byEndpoint,
    body: testSendInput,
    output: testSendOutput,
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
    verb: async (ctx, { params, body: { event_type, data } }) => {
      const message = testMessage(ctx, {
        event_type,
        data_text: memberText(ctx.http.bodyText, 'data'),
      });
      const attempt = await ctx.sendTest(await endpointId(ctx, params), message);
      return { ...attempt, warnings: data ? describeMismatches(event_type, data) : [] };
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
