import type { RefundOutput, SettlementInput, SettlementOutput } from '@svc/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callAll, type Page } from './client.ts';

export type { RefundOutput as Refund, SettlementInput, SettlementOutput as Settlement };

export interface SettlementFilters {
  status?: string | undefined;
  external_id?: string | undefined;
  is_stale?: string | undefined;
}

export function settlementsQuery(filters: SettlementFilters) {
  return infiniteQueryOptions({
    queryKey: ['settlements', 'list', filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<Page<SettlementOutput>>('GET', '/settlements', {
        query: { ...filters, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function settlementQuery(id: string) {
  return queryOptions({
    queryKey: ['settlements', 'one', id],
    queryFn: ({ signal }) => call<SettlementOutput>('GET', at(id), { signal }),
  });
}

export function refundsQuery(id: string) {
  return queryOptions({
    queryKey: ['settlements', 'refunds', id],
    queryFn: ({ signal }) => callAll<RefundOutput>(`${at(id)}/refunds`, signal),
  });
}

export function updateSettlement(id: string, input: SettlementInput): Promise<SettlementOutput> {
  return call('PATCH', at(id), { body: input });
}

/** The address of the report of one day in UTC. */
export function reportUrl(date: string, format: 'csv' | 'json'): string {
  return `/v1/settlements/report${format === 'csv' ? '.csv' : ''}?date=${date}`;
}

function at(id: string): string {
  return `/settlements/${encodeURIComponent(id)}`;
}
