import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router';
import { useRef } from 'react';
import { pollIntervals } from '../api/poll-intervals.ts';
import { type LoggedRequest, type RequestFilters, requestsQuery } from '../api/requests.ts';
import { PageHeader } from '../components/page-header.tsx';
import { Empty, LoadState, MoreRows } from '../components/page-states.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { exactTime } from '../components/time/format-time.ts';
import { Ago } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { useBufferedRows } from '../messages/messages-page.tsx';
import { AdminOnly } from '../session/admin-only.tsx';
import { durationOf, toneOf, wordOf } from './describe-status.ts';
import { RequestFilterBar } from './request-filters.tsx';
import '../messages/messages.css';
import './requests.css';

/** The request log with the open request next to it. Narrow screens show one or the other. */
export function RequestsPage() {
  const open = useMatch({ from: '/requests/$requestId', shouldThrow: false });
  return (
    <AdminOnly title="Requests">
      <div className="split" data-open={open !== undefined}>
        <div className="split__list">
          <RequestList />
        </div>
        {open ? (
          <div className="split__detail" key={open.params.requestId}>
            <Outlet />
          </div>
        ) : null}
      </div>
    </AdminOnly>
  );
}

const route = getRouteApi('/requests');

function RequestList() {
  const { external_id, method, status, code, path, since, until } = route.useSearch();
  const filters = { external_id, method, status, code, path, since, until };
  return (
    <>
      <PageHeader title="Requests">
        <p className="page-header__lead">
          Calls of your backend in the last 7 days, without personal data and secrets.
        </p>
      </PageHeader>
      <RequestFilterBar filters={filters} />
      <Rows key={JSON.stringify(filters)} filters={filters} />
    </>
  );
}

function Rows({ filters }: { filters: RequestFilters }) {
  const list = useRef<HTMLUListElement>(null);
  const requests = useInfiniteQuery({
    ...requestsQuery(filters),
    // A refresh reloads every page.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 1 ? false : pollIntervals.live,
  });
  const pages = requests.data?.pages ?? [];
  const all = pages.flatMap((page) => page.items.map((item) => ({ ...item, id: item.request_id })));
  const { shown, waiting, showAll } = useBufferedRows(all, list);
  const back = pages.at(-1)?.searched_back_to ?? null;
  return (
    <>
      <LoadState
        query={requests}
        loading="Loading requests"
        rows={8}
        failed="The requests could not be loaded"
        hasData={all.length > 0}
      />
      {requests.isSuccess && all.length === 0 && back === null ? (
        <NoRequests filtered={Object.values(filters).some(Boolean)} />
      ) : null}
      {all.length > 0 ? (
        <>
          <div className="rows__head rows__head--requests" aria-hidden="true">
            <span>Status</span>
            <span>Call</span>
            <span className="request-row__tenant">Tenant</span>
            <span className="request-row__took">Duration</span>
            <span>Time</span>
          </div>
          <div className="rows__waiting" role="status">
            {waiting > 0 ? (
              <button type="button" className="svc-button svc-button--small" onClick={showAll}>
                Show {waiting} new {waiting === 1 ? 'request' : 'requests'}
              </button>
            ) : null}
          </div>
          <ul className="rows" ref={list}>
            {shown.map((request) => (
              <Row key={request.id} request={request} filters={filters} />
            ))}
          </ul>
        </>
      ) : null}
      {back === null ? null : (
        <p className="search-progress" role="status">
          Searched back to {exactTime(back)}.
        </p>
      )}
      <MoreRows of={requests}>
        {back === null ? 'Show older requests' : 'Search older requests'}
      </MoreRows>
    </>
  );
}

function NoRequests({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="filter" title="No requests match these filters">
        <Link to="/requests" className="svc-button svc-button--secondary svc-button--small">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="requests" title="No requests yet">
      <p>
        Calls that your backend makes with an API key appear here within a second. Calls with a
        wrong key do not: we cannot tell whose they are.
      </p>
    </Empty>
  );
}

/** One call as a row. The whole row is the link. */
function Row({ request, filters }: { request: LoggedRequest; filters: RequestFilters }) {
  const { method, path, status, code } = request;
  return (
    <li>
      <Link
        to="/requests/$requestId"
        params={{ requestId: request.request_id }}
        search={filters as Record<string, never>}
        className="row request-row"
        data-row
      >
        <StateMark tone={toneOf(status)}>{wordOf(status)}</StateMark>
        <span className="request-row__call">
          <span className="request-row__method">{method}</span>{' '}
          {visibleText(path.replace(/^\/v1/, ''))}
          {code === null ? null : <span className="tag">{code}</span>}
        </span>
        <span className="request-row__tenant">{visibleText(request.external_id ?? '')}</span>
        <span className="request-row__took">{durationOf(request.duration_in_ms)}</span>
        <span className="row__time">
          <Ago at={request.occurred_at} />
        </span>
      </Link>
    </li>
  );
}
