import { wallNow } from '../components/time/clock.ts';
import { compactTime, exactTime } from '../components/time/format-time.ts';
import { useStaleData } from './use-stale-data.ts';

/** Says on every page that what it shows is old, since when, and that it tries again. */
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
              {compactTime(stale.since, wallNow())}
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
