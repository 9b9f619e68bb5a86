import type { DoctorOutput, GoLiveItem, GoLiveOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export type DoctorCheck = DoctorOutput['checks'][number];
export type GoLiveLine = GoLiveOutput['items'][number];

export interface DoctorRequest {
  page_url?: string;
  external_id?: string;
  diagnosis?: object;
}

/** Takes up to a minute: it waits for the partner's page and endpoints. */
export function runDoctor(request: DoctorRequest): Promise<DoctorOutput> {
  return call('POST', '/partner/doctor', { body: request });
}

export const goLiveQuery = queryOptions({
  queryKey: ['go-live'],
  queryFn: ({ signal }) => call<GoLiveOutput>('GET', '/partner/go_live', { signal }),
});

export function markGoLive(item: GoLiveItem, done: boolean): Promise<GoLiveOutput> {
  return call('PUT', `/partner/go_live/${item}`, { body: { done } });
}
