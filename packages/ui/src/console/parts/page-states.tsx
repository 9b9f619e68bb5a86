import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { Icon, type IconName } from './icon.tsx';

/**
 * Shown in place of a list or page until its data has arrived: placeholder rows while it loads, or the
 * reason it could not be loaded. Shows nothing once there is data, even if a later refresh fails:
 * the notice at the top of every page reports stale data.
 */
export function LoadState(props: {
  query: {
    readonly isPending: boolean;
    readonly data: unknown;
    readonly error: Error | null;
    refetch: () => unknown;
  };
  /** Announced to screen readers while loading, such as "Loading endpoints". */
  loading: string;
  rows: number;
  /** The title of the error, such as "The endpoints could not be loaded". */
  failed: string;
  /** True if the page has something to show. Default: the query has data. */
  hasData?: boolean;
}) {
  const { query, hasData = query.data !== undefined } = props;
  if (query.isPending) return <RowsSkeleton rows={props.rows} label={props.loading} />;
  if (!query.error || hasData) return null;
  return <Problem what={props.failed} error={query.error} retry={() => query.refetch()} />;
}

/** The rows of a list, its placeholder, or why it has none. */
export function RowList<Item>(
  props: Parameters<typeof LoadState>[0] & {
    items: readonly Item[];
    empty: ReactNode;
    /** A `li`, with its key. */
    children: (item: Item) => ReactNode;
  },
) {
  const { items, empty, children, ...loading } = props;
  if (items.length > 0) return <ul className="rows">{items.map((it) => children(it))}</ul>;
  return loading.query.data === undefined ? <LoadState {...loading} /> : empty;
}

/** Placeholder rows for a list that is loading. They become visible after 150 ms. */
export function RowsSkeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div className="rows" aria-busy="true">
      <span className="svc-visually-hidden">{label}</span>
      {skeletonWidths.slice(0, rows).map((width) => (
        <div className="rows__skeleton" key={width}>
          <span className="svc-skeleton" style={{ inlineSize: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}

const skeletonWidths = [62, 48, 71, 55, 66, 43, 59, 75];

/** A failed read: what failed, why, the request id for support, and a button to retry. */
export function Problem({ what, error, retry }: { what: string; error: Error; retry: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="problem svc-notice svc-tone-bad" role="alert">
      <p className="svc-notice__title">{what}</p>
      <p>{error.message}</p>
      {requestId ? <p className="problem__id">Request {requestId}</p> : null}
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={retry}
      >
        Try again
      </button>
    </div>
  );
}

/** An empty list or page: why it is empty, and what to do next. */
export function Empty({
  icon,
  title,
  wholePage = false,
  children,
}: {
  icon: IconName;
  title: string;
  /** The page shows nothing else, so this title is its h1. */
  wholePage?: boolean;
  children?: ReactNode;
}) {
  const Title = wholePage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <span className="empty__sign">
        <Icon name={icon} size={24} />
      </span>
      <Title className="empty__title">{title}</Title>
      {children}
    </div>
  );
}

interface PagedQuery {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** The button below a paged list that loads the next page. */
export function MoreRows({ of, children }: { of: PagedQuery; children: ReactNode }) {
  if (!of.hasNextPage) return null;
  return (
    <div className="rows__more">
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        aria-busy={of.isFetchingNextPage}
        onClick={() => void of.fetchNextPage()}
      >
        {children}
      </button>
    </div>
  );
}
