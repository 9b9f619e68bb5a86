import {
  attemptOutput,
  attemptsQuery,
  deliveryOutput,
  egressIpsOutput,
  eventTypesOutput,
  expungeMessageInput,
  listOf,
  messageDetailOutput,
  messageOutput,
  messagesQuery,
  publishCustomInput,
  publishCustomOutput,
  replayMessageInput,
  searchedListOf,
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
import { listEventTypes, publishCustom } from '../../domain/index.ts';
import { Refusal } from '../../domain/refusal.ts';
import { givenFields } from '../input/given-fields.ts';
import { memberText } from '../input/member-text.ts';
import { paginate } from '../input/paginate.ts';
import { byId, type Route, route } from '../route.ts';
import { listFilter, shortListQuery } from './list-filter.ts';

const webhooks = { who: 'key_or_portal', tag: 'Webhooks' } as const;

export const messageRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/event_types',
    kind: 'query',
    summary: 'List the event types with their schemas and examples',
    query: shortListQuery,
    output: eventTypesOutput,
    verb: async (_, { query }) => paginate(listEventTypes().items, query),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/messages',
    kind: 'query',
    summary: 'List messages, newest first',
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
    summary: 'Publish a custom event',
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
      return publishCustom(ctx, { ...body, data_text: dataText });
    },
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/messages/{id}',
    kind: 'query',
    summary: 'Read a message with the exact body that is sent',
    params: byId,
    output: messageDetailOutput,
    verb: (ctx, { params }) => getMessage(ctx.tx, ctx.actor.partnerId, params.id),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/messages/{id}/attempts',
    kind: 'query',
    summary: 'List the attempts of a message, oldest first',
    params: byId,
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
    summary: 'List the attempts of all messages, newest message first',
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
    summary: 'Send a message to one endpoint again, with the same id and bytes',
    wakes: true,
    params: byId,
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
    summary: 'Erase the payload of a message permanently; the results of its deliveries stay',
    params: byId,
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
    summary: 'List the IP addresses that webhooks come from',
    output: egressIpsOutput,
    verb: async (ctx) => ({ egress_ips: [...ctx.service.egressIps] }),
  }),
];
