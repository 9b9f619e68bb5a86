import type {
  AttemptOutput,
  CreateEndpointInput,
  EndpointOutput,
  FilterPreviewInput,
  FilterPreviewOutput,
  publicKeysOutput,
  secretOutput,
  UpdateEndpointInput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callAll } from './call.ts';
import { jsonWithData } from './json-with-data.ts';

export type {
  CreateEndpointInput,
  EndpointOutput as Endpoint,
  FilterPreviewOutput as FilterPreview,
  UpdateEndpointInput,
};
export type Secret = (typeof secretOutput)['_output'];
export type PublicKeys = (typeof publicKeysOutput)['_output'];

export const endpointsQuery = queryOptions({
  queryKey: ['endpoints'],
  queryFn: ({ signal }) => callAll('/webhooks/endpoints', { signal }),
});

export function endpointQuery(id: string) {
  return queryOptions({
    queryKey: ['endpoints', id],
    queryFn: ({ signal }) => call('GET', '/webhooks/endpoints/{id}', { params: { id }, signal }),
  });
}

export function filterPreviewQuery(input: FilterPreviewInput) {
  return queryOptions({
    queryKey: ['filter-preview', input],
    queryFn: ({ signal }) => call('POST', '/webhooks/filter_preview', { body: input, signal }),
  });
}

export const egressIpsQuery = queryOptions({
  queryKey: ['egress-ips'],
  queryFn: ({ signal }) => call('GET', '/webhooks/egress_ips', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function createEndpoint(input: CreateEndpointInput): Promise<EndpointOutput> {
  return call('POST', '/webhooks/endpoints', { body: input });
}

export function updateEndpoint(id: string, input: UpdateEndpointInput): Promise<EndpointOutput> {
  return call('PATCH', '/webhooks/endpoints/{id}', { params: { id }, body: input });
}

export function deleteEndpoint(id: string): Promise<unknown> {
  return call('DELETE', '/webhooks/endpoints/{id}', { params: { id } });
}

/** Reads the signing secret. It is never cached; callers drop it when it is hidden again. */
export function readSecret(id: string): Promise<Secret> {
  return call('GET', '/webhooks/endpoints/{id}/secret', { params: { id } });
}

export function rotateSecret(id: string, overlapSeconds: number): Promise<Secret> {
  return call('POST', '/webhooks/endpoints/{id}/secret/rotate', {
    params: { id },
    body: { overlap_seconds: overlapSeconds },
  });
}

export function rotateKeyPair(id: string, overlapSeconds: number): Promise<PublicKeys> {
  return call('POST', '/webhooks/endpoints/{id}/public_key/rotate', {
    params: { id },
    body: { overlap_seconds: overlapSeconds },
  });
}

/** Sends a test event and returns the attempt, which takes up to 15 s. `dataText` is sent exactly as typed. */
export function sendTest(
  id: string,
  { dataText, ...fields }: { event_type: string; dataText: string },
): Promise<AttemptOutput> {
  return call('POST', '/webhooks/endpoints/{id}/test', {
    params: { id },
    body: jsonWithData(fields, dataText),
  });
}
