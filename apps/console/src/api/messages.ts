import type {
  AttemptOutput,
  deliveryOutput,
  MessageDetailOutput,
  MessageOutput,
  publishCustomOutput,
} from '@svc/contract';
import type { FiltersOf } from '@svc/ui/console/api/api-list.ts';
import { queryOptions } from '@tanstack/react-query';
import { apiList, call, callAll } from './call.ts';
import { jsonWithData } from './json-with-data.ts';

export type {
  AttemptOutput as Attempt,
  MessageDetailOutput as MessageDetail,
  MessageOutput as Message,
};
export type Delivery = (typeof deliveryOutput)['_output'];

/** The messages. `state` and `event_type` are one or several, comma-separated. `q` is text in the ids, type or body. */
export const messageList = apiList({
  key: ['messages'],
  path: '/webhooks/messages',
  filterNames: [
    'state',
    'event_type',
    'endpoint_id',
    'external_id',
    'channel',
    'since',
    'until',
    'q',
  ],
});
export type MessageFilters = FiltersOf<typeof messageList>;

/** The newest 20 messages of one endpoint. */
export function recentMessagesQuery(endpointId: string) {
  return queryOptions({
    queryKey: ['messages', 'recent', endpointId],
    queryFn: ({ signal }) =>
      call('GET', '/webhooks/messages', {
        query: { endpoint_id: endpointId, limit: 20 },
        signal,
      }),
  });
}

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => call('GET', '/webhooks/messages/{id}', { params: { id }, signal }),
  });
}

/** All attempts of a message, oldest first. */
export function attemptsQuery(messageId: string) {
  return queryOptions({
    queryKey: ['message', messageId, 'attempts'],
    queryFn: async ({ signal }) => {
      const attempts = await callAll('/webhooks/messages/{id}/attempts', {
        params: { id: messageId },
        signal,
      });
      return attempts.sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
    },
  });
}

export function replayMessage(id: string, endpointId: string): Promise<unknown> {
  return call('POST', '/webhooks/messages/{id}/replay', {
    params: { id },
    body: { endpoint_id: endpointId },
  });
}

/** Erases a message's body permanently. `cancel` also cancels its pending deliveries. */
export function expungeMessage(
  id: string,
  input: { cancel: boolean },
): Promise<MessageDetailOutput> {
  return call('POST', '/webhooks/messages/{id}/expunge', { params: { id }, body: input });
}

/** Publishes a custom event. `dataText` is sent exactly as typed. */
export function publishCustom({
  dataText,
  ...fields
}: {
  event_type: string;
  dataText: string;
  external_id?: string;
  channels?: string[];
}): Promise<(typeof publishCustomOutput)['_output']> {
  return call('POST', '/webhooks/messages', { body: jsonWithData(fields, dataText) });
}
