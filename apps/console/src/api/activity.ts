import type { ActivityOutput, EndpointHealthOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callAll } from './call.ts';

export type { ActivityOutput as Activity, EndpointHealthOutput as EndpointHealth };
export type Bucket = ActivityOutput['buckets'][number];

/** Delivery activity of the last `days` days, for one endpoint or all. */
export function activityQuery(
  filter: { days: number; endpoint_id: string | undefined },
  now: number,
) {
  return queryOptions({
    queryKey: ['activity', filter],
    queryFn: ({ signal }) =>
      call('GET', '/webhooks/activity', {
        query: {
          endpoint_id: filter.endpoint_id,
          since: new Date(now - filter.days * 86_400_000).toISOString(),
        },
        signal,
      }),
  });
}

/** Parses the `days` URL parameter. Unknown values mean 1. */
export function daysBack(days: string): number {
  return [1, 7, 30].find((span) => `${span}` === days) ?? 1;
}

/** Hourly results of the last 24 hours, per endpoint. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => callAll('/webhooks/endpoints/health', { signal }),
});
