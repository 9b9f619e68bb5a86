import type {
  AttemptOutput,
  deliveryOutput,
  MessageDetailOutput,
  MessageOutput,
  messagesQuery,
  publishCustomOutput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { apiList, type FiltersOf } from './api-list.ts';
import { call, callAll, jsonWithData, type Page } from './client.ts';

export type {
  AttemptOutput as Attempt,
  MessageDetailOutput as MessageDetail,
  MessageOutput as Message,
};
export type Delivery = (typeof deliveryOutput)['_output'];

/** `state` and `event_type` are one or several, separated by commas; `q` is text in the ids, type or body. */
export const messageList = apiList<typeof messagesQuery, MessageOutput>({
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
      call<Page<MessageOutput>>('GET', '/webhooks/messages', {
        query: { endpoint_id: endpointId, limit: 20 },
        signal,
      }),
  });
}

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => call<MessageDetailOutput>('GET', at(id), { signal }),
  });
}

/** All attempts of a message, oldest first. */
export function attemptsQuery(messageId: string) {
  return queryOptions({
    queryKey: ['message', messageId, 'attempts'],
    queryFn: async ({ signal }) => {
      const attempts = await callAll<AttemptOutput>(`${at(messageId)}/attempts`, signal);
      return attempts.sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
    },
  });
}

export function replayMessage(id: string, endpointId: string): Promise<unknown> {
  return call('POST', `${at(id)}/replay`, { body: { endpoint_id: endpointId } });
}

/** Erases a message's body permanently. `cancel` also cancels its pending deliveries. */
export function expungeMessage(
  id: string,
  input: { cancel: boolean },
): Promise<MessageDetailOutput> {
  return call('POST', `${at(id)}/expunge`, { body: input });
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

function at(id: string): string {
  return `/webhooks/messages/${encodeURIComponent(id)}`;
}
