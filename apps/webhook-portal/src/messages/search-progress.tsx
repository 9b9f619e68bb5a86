import { Problem } from '../components/problem.tsx';
import { exactTime } from '../components/time/format-time.ts';
import type { Search } from './use-search.ts';

/** How far back the search got, and the way to cancel or resume it. */
export function SearchProgress({ search, error }: { search: Search; error: Error | null }) {
  const { state, reached, cancel, resume } = search;
  if (state === 'idle') return null;
  if (state === 'failed' && error !== null) {
    return <Problem what="Older messages could not be searched" error={error} retry={resume} />;
  }
  const searching = state === 'searching';
  return (
    <div className="search-progress">
      <p>
        {/* Announced when it starts and stops; the time changes too often. */}
        <span role="status">{searching ? 'Searching older messages.' : 'Search canceled.'}</span>
        {reached === null ? null : (
          <>
            {' '}
            Searched back to <time dateTime={reached}>{exactTime(reached)}</time>
          </>
        )}
      </p>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={searching ? cancel : resume}
      >
        {searching ? 'Cancel' : 'Continue searching'}
      </button>
    </div>
  );
}
