import type { HealthOutput } from '@svc/contract/operator';
import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type HealthItem = HealthOutput['items'][number];

/** The state of each part of the service, measured again every 15 seconds. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => call('GET', '/health', { signal }),
  refetchInterval: pollIntervals.background,
});
