import type { DeliveryAttemptOutput } from '@svc/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type Page, queryString } from './client.ts';

export type { DeliveryAttemptOutput as DeliveryAttempt };

export interface DeliveryFilters {
  status_class?: string | undefined;
  error_class?: string | undefined;
  /** One or several types, separated by commas. */
  event_type?: string | undefined;
  endpoint_id?: string | undefined;
  external_id?: string | undefined;
  channel?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  order?: string | undefined;
}

interface DeliveryListPage extends Page<DeliveryAttemptOutput> {
  /** Set if the page ended before it was full. Everything newer than this was searched. */
  searched_back_to: string | null;
}

export function deliveriesQuery(filters: DeliveryFilters) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<DeliveryListPage>('GET', '/webhooks/deliveries', {
        query: { ...filters, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** The address of a file with the deliveries that match, up to 10,000. */
export function exportUrl(filters: DeliveryFilters, format: 'csv' | 'json'): string {
  return `/v1/webhooks/deliveries/export.${format}${queryString(filters)}`;
}
