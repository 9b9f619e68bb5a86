import type { SavedView } from '@svc/contract/operator';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { SavedView };

/** The person's own views: lists with their filters. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await call('GET', '/views', { signal })).items,
  staleTime: 60_000,
});

export function saveView(name: string, address: string) {
  return call('POST', '/views', { body: { name, address } });
}

export function removeView(id: string) {
  return call('POST', '/views/{id}/remove', { params: { id } });
}
