import type { RefundOutput, SettlementInput, SettlementOutput } from '@svc/contract';
import type { FiltersOf } from '@svc/ui/console/api/api-list.ts';
import { queryOptions } from '@tanstack/react-query';
import { apiList, call, callAll } from './call.ts';

export type { RefundOutput as Refund, SettlementInput, SettlementOutput as Settlement };

export const settlementList = apiList({
  key: ['settlements', 'list'],
  path: '/settlements',
  filterNames: ['status', 'external_id', 'is_stale'],
});
export type SettlementFilters = FiltersOf<typeof settlementList>;

export function settlementQuery(id: string) {
  return queryOptions({
    queryKey: ['settlements', 'one', id],
    queryFn: ({ signal }) => call('GET', '/settlements/{id}', { params: { id }, signal }),
  });
}

export function refundsQuery(id: string) {
  return queryOptions({
    queryKey: ['settlements', 'refunds', id],
    queryFn: ({ signal }) => callAll('/settlements/{id}/refunds', { params: { id }, signal }),
  });
}

export function updateSettlement(id: string, input: SettlementInput): Promise<SettlementOutput> {
  return call('PATCH', '/settlements/{id}', { params: { id }, body: input });
}

/** Returns the URL of the report of one UTC day (`YYYY-MM-DD`). */
export function reportUrl(date: string, format: 'csv' | 'json'): string {
  return `/v1/settlements/report${format === 'csv' ? '.csv' : ''}?date=${date}`;
}
