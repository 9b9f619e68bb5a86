import type { DoctorOutput, GoLiveItem, GoLiveOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type DoctorCheck = DoctorOutput['checks'][number];
export type GoLiveLine = GoLiveOutput['items'][number];

export interface DoctorRequest {
  page_url?: string;
  external_id?: string;
  diagnosis?: object;
}

/**
 * Takes up to a minute: it waits for the partner's page and endpoints. A person pasted the diagnosis, so
 * only the service checks its fields, and the body is sent as text.
 */
export function runDoctor(request: DoctorRequest): Promise<DoctorOutput> {
  return call('POST', '/partner/doctor', { body: JSON.stringify(request) });
}

export const goLiveQuery = queryOptions({
  queryKey: ['go-live'],
  queryFn: ({ signal }) => call('GET', '/partner/go_live', { signal }),
});

export function markGoLive(item: GoLiveItem, done: boolean): Promise<GoLiveOutput> {
  return call('PUT', '/partner/go_live/{item}', { params: { item }, body: { done } });
}
