import type { RequestDetailOutput, RequestOutput } from '@svc/contract';
import type { FiltersOf } from '@svc/ui/console/api/api-list.ts';
import { queryOptions } from '@tanstack/react-query';
import { apiList, call } from './call.ts';

export type { RequestDetailOutput as RequestDetail, RequestOutput as LoggedRequest };

/** The request log. `status` is a status code, or a class such as `4xx`. */
export const requestList = apiList({
  key: ['requests'],
  path: '/partner/requests',
  filterNames: ['external_id', 'method', 'status', 'code', 'path', 'since', 'until'],
});
export type RequestFilters = FiltersOf<typeof requestList>;

export function requestQuery(id: string) {
  return queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => call('GET', '/partner/requests/{id}', { params: { id }, signal }),
    // A finished call does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
