import type { portalSessionOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from './client.ts';

export type Session = (typeof portalSessionOutput)['_output'];

/** The open session, or null where there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }): Promise<Session | null> =>
    call<Session>('GET', '/portal/session', { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }),
  staleTime: 60_000,
});

export function openSession(secret: string): Promise<Session> {
  return call('POST', '/portal/session', { body: { secret } });
}

export function closeSession(): Promise<null> {
  return call('DELETE', '/portal/session');
}
