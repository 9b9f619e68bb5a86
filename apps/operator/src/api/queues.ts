import { fillPath } from '@svc/contract/fill-path';
import type { QueueItem, QueueName, QueuesOutput } from '@svc/contract/operator';
import { writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from './call.ts';

export type { QueueItem, QueueName };
export type Queue = QueuesOutput['items'][number];

const queuesKey = ['queues'] as const;

/** The queues with their counts. */
export const queuesQuery = queryOptions({
  queryKey: [...queuesKey, 'counts'],
  queryFn: async ({ signal }) => (await call('GET', '/queues', { signal })).items,
});

/** A queue's filters, as they are in the page's address. */
export interface QueueFilter {
  readonly snoozed?: string | undefined;
  readonly owner?: string | undefined;
}

/** The items of a queue, longest waiting first. */
export function queueList(name: string, { snoozed, owner }: QueueFilter) {
  return infiniteQueryOptions({
    queryKey: [...queuesKey, 'items', name, snoozed ?? 'false', owner],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callPage('/queues/{name}', {
        params: { name },
        query: { limit: 50, cursor: pageParam, snoozed, owner },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Returns the API path of a CSV file with a queue's items. */
export function queueCsv(name: string, { snoozed, owner }: QueueFilter): string {
  return `${fillPath('/queues/{name}/items.csv', { name })}${writeSearch({ snoozed, owner })}`;
}

export const everyQueue = { queryKey: queuesKey };

/** @param from the owner to take the items over from */
export function takeItems(name: string, ids: string[], from: string | undefined) {
  return call('POST', '/queues/{name}/take', {
    params: { name },
    body: { ids, ...(from !== undefined && { from }) },
  });
}

export function releaseItems(name: string, ids: string[]) {
  return call('POST', '/queues/{name}/release', { params: { name }, body: { ids } });
}

export function snoozeItems(name: string, body: { ids: string[]; until: string; reason: string }) {
  return call('POST', '/queues/{name}/snooze', { params: { name }, body });
}
