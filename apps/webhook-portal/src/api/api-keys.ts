import type {
  ApiKeyOutput,
  CreatedApiKeyOutput,
  RevokedApiKeyOutput,
  RotatedApiKeyOutput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callAll } from './client.ts';

export type { ApiKeyOutput as ApiKey };

/** The partner's keys, newest first, revoked ones included. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => callAll<ApiKeyOutput>('/partner/api_keys', signal),
});

/** Creates a key. The result has its secret, which is never cached. */
export function createApiKey(name: string): Promise<CreatedApiKeyOutput> {
  return call('POST', '/partner/api_keys', { body: { name } });
}

export function rotateApiKey(id: string, overlapHours: number): Promise<RotatedApiKeyOutput> {
  return call('POST', `${at(id)}/rotate`, { body: { overlap_hours: overlapHours } });
}

export function revokeApiKey(id: string): Promise<RevokedApiKeyOutput> {
  return call('DELETE', at(id));
}

function at(id: string): string {
  return `/partner/api_keys/${encodeURIComponent(id)}`;
}
