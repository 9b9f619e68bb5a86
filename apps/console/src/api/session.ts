import type { OpenSessionOutput, portalSessionOutput } from '@svc/contract';
import { sessionKey } from '@svc/ui/console/api/query-client.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type Session = (typeof portalSessionOutput)['_output'];

/** The current session, or null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call('GET', '/portal/session', { signal }),
  // Without a session, the query runs again when the person returns to this tab. A shared URL then opens after
  // they have signed in with a link in another tab.
  staleTime: ({ state }) => (state.data === null ? 0 : 60_000),
});

export function openSession(secret: string): Promise<Session> {
  return call('POST', '/portal/session', { body: { secret } });
}

export function closeSession(): Promise<null> {
  return call('DELETE', '/portal/session');
}

export type { OpenSessionOutput as OpenSession };

/** The open sessions of all users, newest first. */
export const openSessionsQuery = queryOptions({
  queryKey: ['open-sessions'],
  queryFn: async ({ signal }) => (await call('GET', '/portal/sessions', { signal })).items,
});

export function endSession(id: string): Promise<null> {
  return call('DELETE', '/portal/sessions/{id}', { params: { id } });
}

/** Ends all sessions, including the caller's. */
export function endAllSessions(): Promise<{ revoked: number }> {
  return call('DELETE', '/portal/sessions');
}
