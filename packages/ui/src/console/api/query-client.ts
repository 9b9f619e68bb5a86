import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** The key of the query that loads the session. Its data is null without a session. */
export const sessionKey = ['session'] as const;

/** Creates the query client. A 401 from any call clears the session, and SessionGate takes over. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endSessionOn401 }),
    mutationCache: new MutationCache({ onError: endSessionOn401 }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: shouldRetry,
        retryDelay: (count) => 500 * 2 ** count,
        // By default, queries pause without an error while the browser reports that it is offline.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  function endSessionOn401(error: Error): void {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    client.setQueryData(sessionKey, null);
  }
  return client;
}

/** Clears all cached data except the session, so that the next session cannot see it. */
export function clearAllButSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** Retries lost connections and 503 responses twice. Other errors and timeouts are not retried. */
function shouldRetry(count: number, error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'timeout') return false;
  return (error.status === 0 || error.status === 503) && count < 2;
}
