import type { OperatorSessionOutput, Permission } from '@svc/contract/operator';
import { sessionKey } from '@svc/ui/console/api/query-client.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { OperatorSessionOutput as Session, Permission };

/** The current session, or null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }): Promise<OperatorSessionOutput | null> =>
    call('GET', '/session', { signal }),
  staleTime: 60_000,
});

export function openSession(secret: string): Promise<OperatorSessionOutput> {
  return call('POST', '/session/open', { body: { secret } });
}

export function closeSession(): Promise<null> {
  return call('POST', '/session/close');
}
