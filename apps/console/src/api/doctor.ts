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
 * Runs the doctor's checks. This takes up to a minute, because the service waits for the partner's page and
 * endpoints. The diagnosis was pasted by a person and only the service checks its fields, so the body is sent
 * as JSON text.
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
