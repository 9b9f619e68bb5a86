import type { AllowedOriginsOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type AllowedOrigins = AllowedOriginsOutput;

export const allowedOriginsQuery = queryOptions({
  queryKey: ['allowed-origins'],
  queryFn: ({ signal }) => call('GET', '/partner/allowed_origins', { signal }),
});

/** Replaces both lists. */
export function saveAllowedOrigins(lists: AllowedOrigins): Promise<AllowedOrigins> {
  return call('PUT', '/partner/allowed_origins', { body: lists });
}
