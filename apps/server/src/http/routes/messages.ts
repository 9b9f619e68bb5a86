import {
  attemptOutput,
  attemptsQuery,
  deliveryOutput,
  egressIpsOutput,
  eventTypesOutput,
  exampleIds,
  expungeMessageInput,
  listOf,
  messageDetailOutput,
  messageOutput,
  messagesQuery,
  publishCustomInput,
  publishCustomOutput,
  replayMessageInput,
  searchedListOf,
  shortListQuery,
} from '@svc/contract';
import {
  endpointIdOf,
  expungeMessage,
  findAttempts,
  getMessage,
  listAttempts,
  listMessages,
  replayMessage,
} from '@svc/webhooks';
import { listEventTypes } from '../../domain/events/list-event-types.ts';
import { publishCustom } from '../../domain/intake/publish-custom.ts';
import { Refusal } from '../../domain/refusal.ts';
import { describeMismatches } from '../input/describe-mismatch.ts';
import { givenFields } from '../input/given-fields.ts';
import { memberText } from '../input/member-text.ts';
import { paginate } from '../input/paginate.ts';
import { byIdOf, type Route, route } from '../route.ts';
import { listFilter } from './list-filter.ts';

const webhooks = {
  who: 'key_or_portal',
  keyScope: 'webhooks',
  views: ['webhooks'],
  tag: 'Webhooks',
} as const;
const byMessage = byIdOf('Id of the message: its `webhook-id`.', exampleIds.message);

export const messageRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/event_types',
    kind: 'query',
    tag: 'Events',
    summary: 'List the event types',
    docs: {
      id: 'listEventTypes',
      description:
        'Returns the catalog: each event type with a JSON Schema and an example of its `data`.',
      node: 'svc.webhooks.eventTypes()',
    },
    query: shortListQuery,
    output: eventTypesOutput,
    verb: async (_, { query }) => paginate(listEventTypes().items, query),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/messages',
    kind: 'query',
    tag: 'Webhook messages',
    summary: 'List messages',
    docs: {
      id: 'listMessages',
      description:
        'Returns webhooks with the state of each of their deliveries, newest first. All filters must match.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.messages.list({query})',
      query: { state: 'failed', limit: 20 },
    },
    query: messagesQuery,
    output: searchedListOf(messageOutput),
    async verb(ctx, { query: { state, event_type, q, ...rest } }) {
      const filter = { ...rest, states: state, event_types: event_type, text: q };
      return listMessages(ctx.tx, ctx.actor.partnerId, await listFilter(ctx, filter));
    },
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/messages',
    kind: 'command',
    tag: 'Webhook messages',
    summary: 'Publish a custom event',
    docs: {
      id: 'publishEvent',
      description:
        'Sends an event of your own to your endpoints, marked `custom`. `data` is delivered byte for byte. It appears in `listEvents` like any other.',
      node: 'svc.webhooks.messages.publish({body})',
      body: {
        event_type: 'tenant.updated',
        data: { object_version: 1, occurred_at: '2026-02-01T18:00:00.000Z', changed: ['charges'] },
        external_id: 't-100',
      },
    },
    body: publishCustomInput,
    output: publishCustomOutput,
    exactBody: true,
    audit: {
      entry: ({ input: { body }, result }) =>
        result.duplicate
          ? null
          : {
              action: 'message.published',
              subject_id: result.id,
              details: { event_type: body.event_type },
            },
    },
    verb: async (ctx, { body }) => {
      const dataText = memberText(ctx.http.bodyText, 'data');
      if (dataText === undefined) throw new Error('The validated body has no data.');
      const published = await publishCustom(ctx, { ...body, data_text: dataText });
      return { ...published, warnings: describeMismatches(body.event_type, body.data) };
    },
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/messages/{id}',
    kind: 'query',
    tag: 'Webhook messages',
    summary: 'Read a message',
    docs: {
      id: 'getMessage',
      description: 'Returns the message with its deliveries and the exact text that is sent.',
      errors: ['message_not_found'],
      node: 'svc.webhooks.messages.get({id})',
    },
    params: byMessage,
    output: messageDetailOutput,
    verb: (ctx, { params }) => getMessage(ctx.tx, ctx.actor.partnerId, params.id),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/messages/{id}/attempts',
    kind: 'query',
    tag: 'Webhook messages',
    summary: 'List the attempts of a message',
    docs: {
      id: 'listMessageAttempts',
      description:
        'Returns each HTTP request that was made for this message, with the response, oldest first.',
      errors: ['message_not_found'],
      node: 'svc.webhooks.messages.attempts({id})',
    },
    params: byMessage,
    query: shortListQuery,
    output: listOf(attemptOutput),
    verb: async (ctx, { params, query }) =>
      paginate(await listAttempts(ctx.tx, ctx.actor.partnerId, params.id), query),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/attempts',
    kind: 'query',
    tag: 'Webhook messages',
    summary: 'List attempts',
    docs: {
      id: 'listAttempts',
      description:
        'Returns HTTP requests to your endpoints, newest message first. All filters must match.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.attempts({query})',
      query: { succeeded: 'false', limit: 20 },
    },
    query: attemptsQuery,
    output: searchedListOf(attemptOutput),
    async verb(ctx, { query: { event_type, ...rest } }) {
      const filter = { ...rest, event_types: event_type };
      return findAttempts(ctx.tx, ctx.actor.partnerId, await listFilter(ctx, filter));
    },
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/messages/{id}/replay',
    kind: 'command',
    tag: 'Webhook messages',
    summary: 'Replay a message',
    docs: {
      id: 'replayMessage',
      description:
        'Sends the message again with the same `webhook-id` and the same bytes, so a receiver that handles each id once is safe. Pending retries of it are replaced.',
      errors: ['message_not_found', 'endpoint_not_found', 'version_conflict'],
      node: 'svc.webhooks.messages.replay({id}, {body})',
    },
    wakes: true,
    params: byMessage,
    body: replayMessageInput,
    output: deliveryOutput,
    audit: {
      entry: ({ input: { params }, result }) => ({
        action: 'message.replayed',
        endpoint_id: result.endpoint_id,
        subject_id: params.id,
      }),
    },
    async verb(ctx, { params, body }) {
      const { tx, actor, now } = ctx;
      const endpointId = await endpointIdOf(tx, actor.partnerId, body.endpoint_id);
      await replayMessage(tx, actor.partnerId, params.id, endpointId, now);
      const { deliveries } = await getMessage(tx, actor.partnerId, params.id);
      const delivery = deliveries.find(({ endpoint_id }) => endpoint_id === endpointId);
      if (!delivery) throw new Refusal('endpoint_not_found');
      return delivery;
    },
  }),
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/messages/{id}/expunge',
    kind: 'command',
    tag: 'Webhook messages',
    summary: 'Erase the payload of a message',
    docs: {
      id: 'expungeMessage',
      description:
        'Erases the body of the message and the bodies of the responses to it. It cannot be undone. The results of its deliveries stay.',
      errors: ['message_not_found', 'version_conflict'],
      node: 'svc.webhooks.messages.expunge({id}, {body})',
    },
    params: byMessage,
    body: expungeMessageInput,
    output: messageDetailOutput,
    audit: {
      entry: ({ input: { params, body } }) => ({
        action: 'message.expunged',
        subject_id: params.id,
        details: { cancel: body.cancel === true },
      }),
    },
    verb: ({ tx, actor, now }, { params, body }) =>
      expungeMessage(tx, actor.partnerId, params.id, givenFields(body), now),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/egress_ips',
    kind: 'query',
    tag: 'Events',
    summary: 'List the source addresses of webhooks',
    docs: {
      id: 'listEgressIps',
      description: 'Returns the addresses to let through your firewall. Verify signatures anyway.',
      node: 'svc.webhooks.egressIps()',
    },
    output: egressIpsOutput,
    verb: async (ctx) => ({ egress_ips: [...ctx.service.egressIps] }),
  }),
];
