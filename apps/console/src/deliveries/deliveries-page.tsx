import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router';
import { useRef } from 'react';
import {
  type DeliveryAttempt,
  type DeliveryFilters,
  deliveriesQuery,
  exportUrl,
} from '../api/deliveries.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { pollIntervals } from '../api/poll-intervals.ts';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { closeFloating } from '../components/floating.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Empty, MoreRows, Problem, RowsSkeleton } from '../components/page-states.tsx';
import { SearchProgress, useSearch } from '../components/search-progress.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { Ago } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { useBufferedRows, wasSearched } from '../messages/messages-page.tsx';
import { useSession } from '../session/session-gate.tsx';
import { DeliveryFilterBar } from './delivery-filters.tsx';
import { describeMs, nameResult } from './describe-attempt.ts';
import './deliveries.css';

/** The deliveries, one row for each attempt, with the open one next to them. */
export function DeliveriesPage() {
  const open = useMatch({ from: '/deliveries/$messageId/$attemptId', shouldThrow: false });
  return (
    <div className="split" data-open={open !== undefined}>
      <div className="split__list">
        <DeliveryList />
      </div>
      {open ? (
        <div className="split__detail" key={open.params.attemptId}>
          <Outlet />
        </div>
      ) : null}
    </div>
  );
}

const route = getRouteApi('/deliveries');

function DeliveryList() {
  const filters: DeliveryFilters = route.useSearch();
  return (
    <>
      <PageHeader title="Deliveries" actions={<Actions filters={filters} />} />
      <DeliveryFilterBar filters={filters} />
      <Rows key={JSON.stringify(filters)} filters={filters} />
    </>
  );
}

function Actions({ filters }: { filters: DeliveryFilters }) {
  const { read_only } = useSession();
  const { order: _order, ...replayed } = filters;
  return (
    <>
      <ExportMenu filters={filters} />
      {read_only ? null : (
        <Link
          to="/replays/new"
          search={withoutEmpty({ ...replayed })}
          className="svc-button svc-button--secondary svc-button--small"
        >
          <Icon name="replay" /> Replay these
        </Link>
      )}
    </>
  );
}

/** Downloads what the filters show. The files are links, so the browser saves them while they arrive. */
function ExportMenu({ filters }: { filters: DeliveryFilters }) {
  return (
    <Menu
      className="svc-button svc-button--secondary svc-button--small"
      name="Export"
      align="end"
      face={
        <>
          Export <Icon name="down" />
        </>
      }
    >
      {(['csv', 'json'] as const).map((format) => (
        <a
          key={format}
          href={exportUrl(filters, format)}
          download
          role="menuitem"
          tabIndex={-1}
          className="menu__item"
          onClick={(event) => closeFloating(event.currentTarget)}
        >
          {format.toUpperCase()}, up to 10,000 rows
        </a>
      ))}
    </Menu>
  );
}

// Retries of a message end 28 hours after it was published. Only resends and replays come later.
const retriesEndMs = 2 * 86_400_000;

function Rows({ filters }: { filters: DeliveryFilters }) {
  const list = useRef<HTMLUListElement>(null);
  const query = deliveriesQuery(filters);
  const deliveries = useInfiniteQuery({
    ...query,
    // A refresh reloads every page, and a search may have loaded hundreds of them.
    refetchInterval: ({ state }) => (wasSearched(state.data?.pages) ? false : pollIntervals.live),
    refetchOnWindowFocus: ({ state }) => !wasSearched(state.data?.pages),
    refetchOnReconnect: ({ state }) => !wasSearched(state.data?.pages),
  });
  const since = Date.parse(filters.since ?? '');
  const search = useSearch(deliveries, query.queryKey, {
    timeOf: ({ started_at }) => started_at,
    farEnough: Number.isNaN(since) ? undefined : new Date(since - retriesEndMs).toISOString(),
  });
  const endpoints = useQuery(endpointsQuery);
  const all = deliveries.data?.pages.flatMap((page) => page.items) ?? [];
  const { shown, waiting, showAll } = useBufferedRows(all, list);
  if (deliveries.isPending) return <RowsSkeleton rows={8} label="Loading deliveries" />;
  if (deliveries.isError && all.length === 0 && search.state !== 'failed') {
    return (
      <Problem
        what="The deliveries could not be loaded"
        error={deliveries.error}
        retry={() => deliveries.refetch()}
      />
    );
  }
  const progress = <SearchProgress search={search} error={deliveries.error} what="deliveries" />;
  const more =
    search.state === 'idle' ? (
      <MoreRows of={{ ...deliveries, fetchNextPage: search.more }}>Show older deliveries</MoreRows>
    ) : null;
  if (all.length === 0 && search.state !== 'idle') return progress;
  if (all.length === 0) {
    return (
      <>
        <NoDeliveries filtered={Object.values(filters).some(Boolean)} />
        {more}
      </>
    );
  }
  return (
    <>
      <p className="deliveries__order">
        {filters.order === 'failures_first'
          ? 'Failures first. Attempts of one message are together, the newest message first.'
          : 'Attempts of one message are together, the newest message first.'}
      </p>
      <div className="rows__head rows__head--deliveries" aria-hidden="true">
        <span>Result</span>
        <span>Event type</span>
        <span className="delivery-row__where">Endpoint</span>
        <span className="delivery-row__tenant">Tenant</span>
        <span className="delivery-row__attempt">Attempt</span>
        <span className="delivery-row__duration">Duration</span>
        <span>Started</span>
      </div>
      <div className="rows__waiting" role="status">
        {waiting > 0 ? (
          <button type="button" className="svc-button svc-button--small" onClick={showAll}>
            Show {waiting} new {waiting === 1 ? 'delivery' : 'deliveries'}
          </button>
        ) : null}
      </div>
      <ul className="rows" ref={list}>
        {shown.map((delivery, index) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            url={endpoints.data?.find(({ id }) => id === delivery.endpoint_id)?.url}
            filters={filters}
            follows={shown[index - 1]?.message_id === delivery.message_id}
          />
        ))}
      </ul>
      {progress}
      {more}
    </>
  );
}

function NoDeliveries({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="filter" title="No deliveries match these filters">
        <Link to="/deliveries" className="svc-button svc-button--secondary svc-button--small">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="send" title="No deliveries yet">
      <p>Every attempt to deliver a message to one of your endpoints appears here.</p>
    </Empty>
  );
}

/** One attempt as a row. The whole row is the link. */
function DeliveryRow(props: {
  delivery: DeliveryAttempt;
  /** The endpoint's present URL; undefined for a deleted endpoint. */
  url: string | undefined;
  filters: DeliveryFilters;
  /** Whether the row above is of the same message. */
  follows: boolean;
}) {
  const { delivery, filters } = props;
  const { attempt, max_attempts, succeeded } = delivery;
  return (
    <li className={props.follows ? 'delivery-row__follows' : undefined}>
      <Link
        to="/deliveries/$messageId/$attemptId"
        params={{ messageId: delivery.message_id, attemptId: delivery.id }}
        search={withoutEmpty({ ...filters })}
        className="row delivery-row"
        data-row
      >
        <StateMark tone={succeeded ? 'good' : 'bad'}>{nameResult(delivery)}</StateMark>
        <span className="delivery-row__type">{delivery.event_type}</span>
        <span className="delivery-row__where">
          {visibleText(hostOf(props.url ?? delivery.url))}
        </span>
        <span className="delivery-row__tenant">{visibleText(delivery.external_id ?? '')}</span>
        <span className="delivery-row__attempt">
          {attempt === null ? extra[delivery.trigger] : `${attempt} of ${max_attempts}`}
        </span>
        <span className="delivery-row__duration">{describeMs(delivery.duration_in_ms)}</span>
        <span className="row__time">
          <Ago at={delivery.started_at} />
        </span>
      </Link>
    </li>
  );
}

/** Attempts outside the retry schedule. */
const extra: Record<DeliveryAttempt['trigger'], string> = {
  schedule: 'Scheduled',
  manual: 'Manual',
  recover: 'Replay',
  test: 'Test',
};

function hostOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}
