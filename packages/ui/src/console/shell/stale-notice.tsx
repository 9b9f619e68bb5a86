import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../api/client.ts';
import { currentTime } from '../time/clock.ts';
import { compactTime, exactTime } from '../time/format-time.ts';

/** Tells the user on every page that the data is stale, since when, and that it is retrying. */
export function StaleNotice() {
  const { stale, retry } = useStaleData();
  return (
    <div role="status">
      {stale === null ? null : (
        <div className="stale svc-tone-warn">
          <p>
            <strong>
              {stale.unreachable ? 'Can’t reach the service' : 'This page can’t be refreshed'}
            </strong>
            {stale.unreachable ? ', showing ' : `: ${stale.reason} Showing `}
            data from{' '}
            <time dateTime={new Date(stale.since).toISOString()} title={exactTime(stale.since)}>
              {compactTime(stale.since, currentTime())}
            </time>
            , retrying.
          </p>
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            onClick={retry}
          >
            Retry now
          </button>
        </div>
      )}
    </div>
  );
}

interface StaleData {
  /** When the oldest data on the page was loaded, in milliseconds since 1970. */
  since: number;
  /** True if the service could not be reached. Otherwise `reason` says why it refused. */
  unreachable: boolean;
  reason: string;
}

const retryMs = 5_000;

/**
 * Detects data on the page that could not be refreshed, and retries it every 5 s, including queries
 * that normally load once.
 */
function useStaleData(): { stale: StaleData | null; retry: () => void } {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  // Serialized, so that an equal snapshot does not re-render.
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

/** Returns whether a query is on the page, has data, and failed to refresh it. */
function isStale(query: Query): boolean {
  const { status, data, fetchMeta } = query.state;
  // A list that failed to load its next page reports that below the list.
  const more = fetchMeta?.fetchMore !== undefined;
  return query.isActive() && status === 'error' && data !== undefined && !more;
}
