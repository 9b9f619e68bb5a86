import type { FoundItem } from '@svc/contract/operator';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { FoundItem };

/** The fewest characters that are searched for. Fewer would match half of the tenants. */
export const shortestSearch = 2;

/**
 * Searches for the typed words. They are sent in the body and leave memory with the dialog, because a name or
 * an e-mail address must not appear in a URL, a log or storage.
 */
export function searchQuery(words: string) {
  return queryOptions({
    queryKey: ['search', words],
    queryFn: ({ signal }) => call('POST', '/search', { body: { query: words }, signal }),
    enabled: words.length >= shortestSearch,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 5_000,
  });
}

export interface RecentTenant {
  readonly partner: string;
  readonly externalId: string;
}

/** The tenants that were opened since the person signed in, newest first. They are kept in memory only. */
export const recentTenantsQuery = queryOptions({
  queryKey: ['recent-tenants'],
  queryFn: (): RecentTenant[] => [],
  initialData: [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export function rememberTenant(client: QueryClient, opened: RecentTenant): void {
  client.setQueryData(recentTenantsQuery.queryKey, (before = []) => {
    const others = before.filter(
      ({ partner, externalId }) => partner !== opened.partner || externalId !== opened.externalId,
    );
    return [opened, ...others].slice(0, 6);
  });
}
