import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { sessionQuery } from './session.ts';

/** A 401 on any call ends the session here too, and the gate shows what to do. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endSessionOn401 }),
    mutationCache: new MutationCache({ onError: endSessionOn401 }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: shouldRetry,
        retryDelay: (count) => 500 * 2 ** count,
        // By default, a browser that says it is offline waits without an error.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  function endSessionOn401(error: Error): void {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    client.setQueryData(sessionQuery.queryKey, null);
  }
  return client;
}

/** Between two sessions: what one partner saw must not be there for the next. */
export function clearAllButSession(client: QueryClient): void {
  const [session] = sessionQuery.queryKey;
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== session });
}

/** A lost connection or a busy service is worth two more tries; a refusal or a timeout is not. */
function shouldRetry(count: number, error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'timeout') return false;
  return (error.status === 0 || error.status === 503) && count < 2;
}
