import type { RequestDetailOutput, RequestOutput } from '@svc/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Page } from './client.ts';

export type { RequestDetailOutput as RequestDetail, RequestOutput as LoggedRequest };

export interface RequestFilters {
  external_id?: string | undefined;
  method?: string | undefined;
  /** A status or a class such as `4xx`. */
  status?: string | undefined;
  code?: string | undefined;
  path?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

interface RequestListPage extends Page<RequestOutput> {
  /** Set if the page ended before it was full. Everything newer than this was searched. */
  searched_back_to: string | null;
}

export function requestsQuery(filters: RequestFilters) {
  return infiniteQueryOptions({
    queryKey: ['requests', filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<RequestListPage>('GET', '/partner/requests', {
        query: { ...filters, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function requestQuery(id: string) {
  return queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) =>
      call<RequestDetailOutput>('GET', `/partner/requests/${encodeURIComponent(id)}`, { signal }),
    // A finished call does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
