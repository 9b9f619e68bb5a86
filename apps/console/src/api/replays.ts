import type { createReplayInput, ReplayOutput } from '@svc/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { ReplayOutput as Replay };
export type ReplayInput = (typeof createReplayInput)['_input'];
export type ReplayControl = 'pause' | 'resume' | 'cancel';

export const replaysQuery = infiniteQueryOptions({
  queryKey: ['replays'],
  initialPageParam: null as string | null,
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/webhooks/replays', {
      query: { limit: 50, cursor: pageParam },
      signal,
    }),
  getNextPageParam: (page) => page.next_cursor,
});

export function replayQuery(id: string) {
  return queryOptions({
    queryKey: ['replays', 'one', id],
    queryFn: ({ signal }) => call('GET', '/webhooks/replays/{id}', { params: { id }, signal }),
  });
}

/** A dry run that counts the messages a replay would send. */
export function replayPreviewQuery(input: ReplayInput) {
  return queryOptions({
    queryKey: ['replays', 'preview', input],
    queryFn: () => call('POST', '/webhooks/replays', { body: { ...input, dry_run: true } }),
    staleTime: 30_000,
    gcTime: 60_000,
  });
}

export function startReplay(input: ReplayInput): Promise<ReplayOutput> {
  return call('POST', '/webhooks/replays', { body: input });
}

export function controlReplay(id: string, what: ReplayControl): Promise<ReplayOutput> {
  return call('POST', `/webhooks/replays/{id}/${what}`, { params: { id } });
}
