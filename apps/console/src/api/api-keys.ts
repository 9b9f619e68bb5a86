import type {
  ApiKeyOutput,
  CreateApiKeyInput,
  CreatedApiKeyOutput,
  RevokedApiKeyOutput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callAll } from './call.ts';

export type { ApiKeyOutput as ApiKey };

/** The partner's keys, newest first, revoked ones included. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => callAll('/partner/api_keys', { signal }),
});

export interface CreatedKey {
  readonly name: string | null;
  /** Never cached. */
  readonly secret: string;
}

/**
 * Creates an API key.
 * @throws Error if an earlier attempt created the key but its response was lost: the secret is returned only once
 */
export async function createApiKey(body: CreateApiKeyInput): Promise<CreatedKey> {
  return withSecret(await call('POST', '/partner/api_keys', { body }));
}

/**
 * Rotates an API key.
 * @throws Error for the same reason as `createApiKey`
 */
export async function rotateApiKey(id: string, overlapHours: number): Promise<CreatedKey> {
  const body = { overlap_hours: overlapHours };
  return withSecret(await call('POST', '/partner/api_keys/{id}/rotate', { params: { id }, body }));
}

function withSecret({ name, api_key, warnings }: CreatedApiKeyOutput): CreatedKey {
  if (api_key === null) throw new Error(warnings.map(({ message }) => message).join(' '));
  return { name, secret: api_key };
}

export function revokeApiKey(id: string): Promise<RevokedApiKeyOutput> {
  return call('DELETE', '/partner/api_keys/{id}', { params: { id } });
}
