import type { allowedOriginsOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

type AllowedOrigins = (typeof allowedOriginsOutput)['_output'];

export const allowedOriginsQuery = queryOptions({
  queryKey: ['allowed-origins'],
  queryFn: ({ signal }) => call('GET', '/partner/allowed_origins', { signal }),
});

/** Replaces the list. */
export function saveAllowedOrigins(origins: readonly string[]): Promise<AllowedOrigins> {
  return call('PUT', '/partner/allowed_origins', { body: { allowed_origins: [...origins] } });
}
