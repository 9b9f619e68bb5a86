import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../api/client.ts';

export interface StaleData {
  /** When the oldest data on the page was read, in milliseconds since 1970. */
  since: number;
  /** The service could not be reached at all; else why it refused. */
  unreachable: boolean;
  reason: string;
}

const retryMs = 5_000;

/**
 * Whether the page shows data that could not be refreshed. Such data is read again every 5 s, also
 * what is usually read once.
 */
export function useStaleData(): { stale: StaleData | null; retry: () => void } {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  // A string, so that an unchanged answer renders nothing.
  const snapshot = useSyncExternalStore(subscribe, () =>
    JSON.stringify(staleAmong(cache.findAll())),
  );
  const stale: StaleData | null = JSON.parse(snapshot);
  const failing = stale !== null;
  const retry = useCallback(
    () => void client.refetchQueries({ predicate: isStale }, { cancelRefetch: false }),
    [client],
  );
  useEffect(() => {
    if (!failing) return;
    const timer = setInterval(retry, retryMs);
    return () => clearInterval(timer);
  }, [failing, retry]);
  return { stale, retry };
}

function staleAmong(queries: readonly Query[]): StaleData | null {
  const found = queries.filter(isStale);
  const errors = found.map(({ state }) => state.error).filter((error) => error !== null);
  const unreached = errors.find((error) => error instanceof ApiError && error.status === 0);
  const error = unreached ?? errors[0];
  if (!error) return null;
  return {
    since: Math.min(...found.map(({ state }) => state.dataUpdatedAt)),
    unreachable: unreached !== undefined,
    reason: error.message,
  };
}

/** On the page, read before, and the last try to read it again failed. */
function isStale(query: Query): boolean {
  const { status, data, fetchMeta } = query.state;
  // A list that failed to load its next page says so at its end.
  const more = fetchMeta?.fetchMore !== undefined;
  return query.isActive() && status === 'error' && data !== undefined && !more;
}
