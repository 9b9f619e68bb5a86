import type { PayoutOutput } from '@svc/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type Page } from './client.ts';

export type { PayoutOutput as Payout };

export interface PayoutFilters {
  status?: string | undefined;
}

export function payoutsQuery(filters: PayoutFilters) {
  return infiniteQueryOptions({
    queryKey: ['payouts', 'list', filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<Page<PayoutOutput>>('GET', '/payouts', {
        query: { ...filters, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** The address of the statement of a payout. */
export function statementUrl(id: string, format: 'csv' | 'json'): string {
  return `/v1/payouts/${encodeURIComponent(id)}/statement${format === 'csv' ? '.csv' : ''}`;
}
