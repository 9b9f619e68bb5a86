import { fillPath } from '@svc/contract/fill-path';
import type { TenantPageOutput, TimelineEntry, TimelineKind } from '@svc/contract/operator';
import { writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from './call.ts';

export type { TenantPageOutput as Tenant, TimelineEntry, TimelineKind };

/** The portal, and the portal's id of the tenant. */
export interface TenantName {
  readonly partner: string;
  readonly externalId: string;
}

export function tenantKey({ partner, externalId }: TenantName) {
  return ['tenants', partner, externalId] as const;
}

export function tenantQuery(name: TenantName) {
  return queryOptions({
    queryKey: [...tenantKey(name), 'page'],
    queryFn: ({ signal }) =>
      call('GET', '/tenants/{partner}/{external_id}', { params: paramsOf(name), signal }),
  });
}

/** @param kinds the kinds of entries, separated by commas; all if undefined */
export function timelineList(name: TenantName, kinds: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...tenantKey(name), 'timeline', kinds ?? 'all'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callPage('/tenants/{partner}/{external_id}/timeline', {
        params: paramsOf(name),
        query: { kinds, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Returns the API path of a CSV file with a timeline. */
export function timelineCsv(name: TenantName, kinds: string | undefined): string {
  const path = fillPath('/tenants/{partner}/{external_id}/timeline.csv', paramsOf(name));
  return `${path}${writeSearch({ kinds })}`;
}

/** Shows the tenant's personal data to this session for a while. The audit log keeps the reason. */
export function unmaskTenant(name: TenantName, reason: string) {
  return call('POST', '/tenants/{partner}/{external_id}/unmask', {
    params: paramsOf(name),
    body: { reason },
  });
}

/** Opens the experience as the tenant sees it, read-only. */
export function viewTenant(name: TenantName) {
  return call('POST', '/tenants/{partner}/{external_id}/view', { params: paramsOf(name) });
}

function paramsOf({ partner, externalId }: TenantName) {
  return { partner, external_id: externalId };
}
