import type { DeliveryAttemptOutput } from '@svc/contract';
import type { FiltersOf } from '@svc/ui/console/api/api-list.ts';
import { queryString } from '@svc/ui/console/api/client.ts';
import { apiList } from './call.ts';

export type { DeliveryAttemptOutput as DeliveryAttempt };

/** The delivery attempts. `event_type` is one type, or several separated by commas. */
export const deliveryList = apiList({
  key: ['deliveries'],
  path: '/webhooks/deliveries',
  filterNames: [
    'order',
    'status_class',
    'error_class',
    'endpoint_id',
    'event_type',
    'external_id',
    'channel',
    'since',
    'until',
  ],
});
export type DeliveryFilters = FiltersOf<typeof deliveryList>;

/** Returns the URL of a file with the matching deliveries, up to 10,000. */
export function exportUrl(filters: DeliveryFilters, format: 'csv' | 'json'): string {
  return `/v1/webhooks/deliveries/export.${format}${queryString(filters)}`;
}
