import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '../parts/page-states.tsx';
import { exactTime } from '../time/format-time.ts';

/** Shows how far back the search got, with a button to cancel or resume it. */
export function SearchProgress(props: {
  search: Search;
  error: Error | null;
  /** The rows that are searched, such as "messages". */
  what: string;
}) {
  const { search, error, what } = props;
  const { state, reached, cancel, resume } = search;
  if (state === 'idle') return null;
  if (state === 'failed' && error !== null) {
    return <Problem what={`Older ${what} could not be searched`} error={error} retry={resume} />;
  }
  const searching = state === 'searching';
  return (
    <div className="search-progress">
      <p>
        {/* Only start and stop are announced. The time changes too often. */}
        <span role="status">{searching ? `Searching older ${what}.` : 'Search canceled.'}</span>
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

interface SearchedPage<Item> {
  readonly items: readonly Item[];
  readonly searched_back_to?: string | null;
}

interface Searched<Item> {
  readonly data: { readonly pages: readonly SearchedPage<Item>[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  fetchNextPage(): Promise<unknown>;
}

export interface Search {
  /**
   * `searching`: older messages are being searched. `canceled` or `failed`: the search stopped before
   * it found enough rows. `idle`: enough rows are shown, or there are no older messages.
   */
  readonly state: 'searching' | 'canceled' | 'failed' | 'idle';
  /** Everything newer than this instant was searched. */
  readonly reached: string | null;
  readonly cancel: () => void;
  /** Continues after `cancel` or a failure. */
  readonly resume: () => void;
  /** Loads one more page of rows. */
  readonly more: () => void;
}

const rowsAtOnce = 50;

/**
 * Pages through a search. The service scans a limited number of rows per page, so a page can be short
 * even though more follow. Requests further pages until enough rows are found.
 */
export function useSearchForRows<Item>(
  list: Searched<Item>,
  queryKey: readonly unknown[],
  options: {
    timeOf?: ((item: Item) => string) | undefined;
    /** Once everything newer was searched, further pages are requested by `more` only. */
    farEnough?: string | undefined;
  },
): Search {
  const client = useQueryClient();
  const [targetRows, setTargetRows] = useState(rowsAtOnce);
  const [canceled, setCanceled] = useState(false);
  const [mayGoFar, setMayGoFar] = useState(false);
  const { data, hasNextPage, isFetching, isFetchNextPageError: failed, fetchNextPage } = list;
  const pageCount = data?.pages.length ?? 0;
  const last = data?.pages.at(-1);
  const lastItem = last?.items.at(-1);
  const found = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  const searchedTo = last?.searched_back_to ?? null;
  const { farEnough } = options;
  const isFarEnough = farEnough !== undefined && searchedTo !== null && searchedTo < farEnough;
  const unfinished =
    searchedTo !== null && hasNextPage && found < targetRows && (mayGoFar || !isFarEnough);
  const searching = unfinished && !canceled && !failed;
  // React may never render with `isFetching` set: on a slow device, a page can arrive before that state is
  // rendered. So the effect also runs for each new page.
  useEffect(() => {
    if (pageCount > 0 && searching && !isFetching) void fetchNextPage();
  }, [pageCount, searching, isFetching, fetchNextPage]);
  return {
    state: stateOf(unfinished, canceled, failed),
    reached: searchedTo ?? (lastItem === undefined ? null : (options.timeOf?.(lastItem) ?? null)),
    cancel() {
      setCanceled(true);
      void client.cancelQueries({ queryKey });
    },
    resume() {
      setCanceled(false);
      void fetchNextPage();
    },
    more() {
      setTargetRows(found + rowsAtOnce);
      setCanceled(false);
      setMayGoFar(true);
      void fetchNextPage();
    },
  };
}

function stateOf(unfinished: boolean, canceled: boolean, failed: boolean): Search['state'] {
  if (!unfinished) return 'idle';
  if (canceled) return 'canceled';
  return failed ? 'failed' : 'searching';
}
