import type {
  AttemptOutput,
  CreateEndpointInput,
  EndpointOutput,
  egressIpsOutput,
  secretOutput,
  UpdateEndpointInput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callAll, jsonWithData } from './client.ts';

export type { CreateEndpointInput, EndpointOutput as Endpoint, UpdateEndpointInput };
export type Secret = (typeof secretOutput)['_output'];

export const endpointsQuery = queryOptions({
  queryKey: ['endpoints'],
  queryFn: ({ signal }) => callAll<EndpointOutput>('/webhooks/endpoints', signal),
});

export function endpointQuery(id: string) {
  return queryOptions({
    queryKey: ['endpoints', id],
    queryFn: ({ signal }) => call<EndpointOutput>('GET', at(id), { signal }),
  });
}

export const egressIpsQuery = queryOptions({
  queryKey: ['egress-ips'],
  queryFn: ({ signal }) =>
    call<(typeof egressIpsOutput)['_output']>('GET', '/webhooks/egress_ips', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function createEndpoint(input: CreateEndpointInput): Promise<EndpointOutput> {
  return call('POST', '/webhooks/endpoints', { body: input });
}

export function updateEndpoint(id: string, input: UpdateEndpointInput): Promise<EndpointOutput> {
  return call('PATCH', at(id), { body: input });
}

export function deleteEndpoint(id: string): Promise<unknown> {
  return call('DELETE', at(id));
}

/** Reads the signing secret. It is never cached; callers drop it when it is hidden again. */
export function readSecret(id: string): Promise<Secret> {
  return call('GET', `${at(id)}/secret`);
}

export function rotateSecret(id: string, overlapSeconds: number): Promise<Secret> {
  return call('POST', `${at(id)}/secret/rotate`, { body: { overlap_seconds: overlapSeconds } });
}

/** Sends a test event and returns the attempt, which takes up to 15 s. `dataText` is sent exactly as typed. */
export function sendTest(
  id: string,
  { dataText, ...fields }: { event_type: string; dataText: string },
): Promise<AttemptOutput> {
  return call('POST', `${at(id)}/test`, { body: jsonWithData(fields, dataText) });
}

function at(id: string): string {
  return `/webhooks/endpoints/${encodeURIComponent(id)}`;
}
