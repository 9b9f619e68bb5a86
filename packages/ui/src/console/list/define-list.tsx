import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useRef } from 'react';
import type { ApiList, Filters } from '../api/api-list.ts';
import { pollIntervals } from '../api/poll-intervals.ts';
import type { ListFilter } from '../filters/list-filters.tsx';
import { withoutEmpty } from '../filters/search-params.ts';
import type { IconName } from '../parts/icon.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Empty, LoadState, MoreRows } from '../parts/page-states.tsx';
import { SearchProgress, useSearchForRows } from './search-progress.tsx';
import { useBufferedRows } from './use-buffered-rows.ts';

interface List<Item, Name extends string> {
  /** The address of the page. An open row is a route below it. */
  readonly route: string;
  readonly title: string;
  /** The words for one row and for several. */
  readonly rows: readonly [one: string, many: string];
  readonly api: ApiList<Item, Name>;
  /** Shows the page to the sessions that may see it, and explains to others what they need. */
  readonly Gate?: ComponentType<{ title: string; children: ReactNode }>;
  /**
   * True if new rows appear within seconds. They are buffered while someone reads the list. A list that is
   * not live is refreshed in the background.
   */
  readonly isLive?: boolean;
  /** Returns the instant by which the rows are sorted, to show how far a search got. */
  readonly timeOf?: (item: NoInfer<Item>) => string;
  /** Once everything newer than this was searched, older rows are loaded only when asked for. */
  readonly searchUntil?: (filters: Filters<NoInfer<Name>>) => string | undefined;
  readonly keyOf: (item: NoInfer<Item>) => string;
  /** The label of the button that loads the next page. Default: "Show older …". */
  readonly more?: string;
  /** One line below the title. */
  readonly lead?: string;
  readonly Actions?: ComponentType<{ filters: Filters<NoInfer<Name>> }>;
  /** A search field in front of the other filters. */
  readonly Search?: ListFilter<NoInfer<Name>>;
  readonly filters: readonly ListFilter<NoInfer<Name>>[];
  /** A line above the rows. */
  readonly Note?: ComponentType<{ filters: Filters<NoInfer<Name>> }>;
  /** The column headings, each with an optional class. */
  readonly columns: readonly (readonly [head: string, className?: string])[];
  readonly Row: ComponentType<{
    item: NoInfer<Item>;
    filters: Filters<NoInfer<Name>>;
    /** The row above. */
    before: NoInfer<Item> | undefined;
  }>;
  readonly empty: {
    readonly icon: IconName;
    readonly title: string;
    readonly text: ReactNode;
    /** The title when filters are set. */
    readonly filtered?: string;
  };
}

/**
 * Creates a page with a list: filters that are stored in the address, the rows with the open one next to them,
 * and what is shown while they load, when there are none, and when they cannot be loaded. Narrow screens
 * show the list or the open row.
 */
export function defineList<Item, Name extends string>(list: List<Item, Name>): ComponentType {
  function ListPage() {
    const open = useMatches().find(({ fullPath }) => fullPath.startsWith(`${list.route}/`));
    const page = (
      <div className="split" data-open={open !== undefined}>
        <div className="split__list">
          <FilteredList />
        </div>
        {open ? (
          <div className="split__detail" key={open.pathname}>
            <Outlet />
          </div>
        ) : null}
      </div>
    );
    const { Gate } = list;
    return Gate ? <Gate title={list.title}>{page}</Gate> : page;
  }

  function FilteredList() {
    const filters = list.api.readFilters(useSearch({ strict: false }));
    const navigate = useNavigate();
    const change = (part: Filters<Name>) =>
      void navigate({ to: list.route, search: withoutEmpty({ ...filters, ...part }) });
    const { Actions, Search } = list;
    return (
      <>
        <PageHeader title={list.title} actions={Actions && <Actions filters={filters} />}>
          {list.lead === undefined ? null : <p className="page-header__lead">{list.lead}</p>}
        </PageHeader>
        <div className="filters">
          {Search ? <Search filters={filters} change={change} /> : null}
          <div className="filters__chips">
            {list.filters.map((Filter, index) => (
              // The filters of a list never change.
              <Filter key={index} filters={filters} change={change} />
            ))}
          </div>
        </div>
        <Rows key={JSON.stringify(filters)} filters={filters} />
      </>
    );
  }

  function Rows({ filters }: { filters: Filters<Name> }) {
    const element = useRef<HTMLUListElement>(null);
    const query = list.api.query(filters);
    const answer = useInfiniteQuery({ ...query, ...refreshOf(list.isLive) });
    const search = useSearchForRows(answer, query.queryKey, {
      timeOf: list.timeOf,
      farEnough: list.searchUntil?.(filters),
    });
    const items = answer.data?.pages.flatMap((page) => page.items) ?? [];
    const buffered = useBufferedRows(items, list.keyOf, element);
    const { shown, waiting, showAll } = list.isLive
      ? buffered
      : { shown: items, waiting: 0, showAll: () => {} };
    const {
      Note,
      Row,
      rows: [one, many],
    } = list;
    const isSearching = search.state !== 'idle';
    return (
      <>
        {isSearching ? null : (
          <LoadState
            query={answer}
            loading={`Loading ${many}`}
            rows={8}
            failed={`The ${many} could not be loaded`}
            hasData={items.length > 0}
          />
        )}
        {answer.isSuccess && items.length === 0 && !isSearching ? (
          <NoRows {...list} isFiltered={Object.values(filters).some(Boolean)} />
        ) : null}
        {items.length > 0 ? (
          <>
            {Note ? <Note filters={filters} /> : null}
            <div className={`rows__head rows__head--${many}`} aria-hidden="true">
              {list.columns.map(([head, className]) => (
                <span key={head} className={className}>
                  {head}
                </span>
              ))}
            </div>
            {list.isLive ? (
              <div className="rows__waiting" role="status">
                {waiting > 0 ? (
                  <button type="button" className="svc-button svc-button--small" onClick={showAll}>
                    Show {waiting} new {waiting === 1 ? one : many}
                  </button>
                ) : null}
              </div>
            ) : null}
            <ul className="rows" ref={element}>
              {shown.map((item, index) => (
                <Row
                  key={list.keyOf(item)}
                  item={item}
                  filters={filters}
                  before={shown[index - 1]}
                />
              ))}
            </ul>
          </>
        ) : null}
        <SearchProgress search={search} error={answer.error} what={many} />
        {isSearching ? null : (
          <MoreRows of={{ ...answer, fetchNextPage: search.more }}>
            {list.more ?? `Show older ${many}`}
          </MoreRows>
        )}
      </>
    );
  }

  return ListPage;
}

interface NoRowsProps extends Pick<List<unknown, never>, 'route' | 'rows' | 'empty'> {
  readonly isFiltered: boolean;
}

function NoRows({ route, rows, empty, isFiltered }: NoRowsProps) {
  const { icon, title, text, filtered } = empty;
  if (!isFiltered) {
    return (
      <Empty icon={icon} title={title}>
        {text}
      </Empty>
    );
  }
  return (
    <Empty icon="filter" title={filtered ?? `No ${rows[1]} match these filters`}>
      <Link to={route} className="svc-button svc-button--secondary svc-button--small">
        Clear filters
      </Link>
    </Empty>
  );
}

type Pages = InfiniteData<{ readonly searched_back_to?: string | null }> | undefined;

function refreshOf(isLive = false) {
  if (!isLive) return { refetchInterval: pollIntervals.background };
  // A refresh reloads every page, and a search may have loaded hundreds of them.
  const isFresh = ({ state: { data } }: { state: { data: unknown } }) =>
    !(data as Pages)?.pages.some(({ searched_back_to }) => searched_back_to);
  return {
    refetchInterval: (query: { state: { data: unknown } }) =>
      isFresh(query) ? pollIntervals.live : (false as const),
    refetchOnWindowFocus: isFresh,
    refetchOnReconnect: isFresh,
  };
}
