import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Message, type MessageFilters, messagesQuery } from '../api/messages.ts';
import { pollIntervals } from '../api/poll-intervals.ts';
import { Icon } from '../components/icon.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Empty, MoreRows, Problem, RowsSkeleton } from '../components/page-states.tsx';
import { SearchProgress, useSearch } from '../components/search-progress.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { Ago } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { summarizeState } from '../deliveries/delivery-state.ts';
import { useSession } from '../session/session-gate.tsx';
import { MessageFilterBar } from './message-filters.tsx';
import './messages.css';

/** The message list with the open message next to it. Narrow screens show one or the other. */
export function MessagesPage() {
  const open = useMatch({ from: '/messages/$messageId', shouldThrow: false });
  return (
    <div className="split" data-open={open !== undefined}>
      <div className="split__list">
        <MessageList />
      </div>
      {open ? (
        <div className="split__detail" key={open.params.messageId}>
          <Outlet />
        </div>
      ) : null}
    </div>
  );
}

const route = getRouteApi('/messages');

function MessageList() {
  const { state, event_type, endpoint_id, external_id, channel, since, until, q } =
    route.useSearch();
  const filters = { state, event_type, endpoint_id, external_id, channel, since, until, q };
  return (
    <>
      <PageHeader title="Messages" actions={<ReplayLink endpointId={endpoint_id} />} />
      <MessageFilterBar filters={filters} />
      <Rows key={JSON.stringify(filters)} filters={filters} />
    </>
  );
}

/** Offers a replay when the list is filtered by endpoint. */
function ReplayLink({ endpointId }: { endpointId: string | undefined }) {
  const { read_only } = useSession();
  if (read_only || endpointId === undefined) return null;
  return (
    <Link
      to="/replays/new"
      search={{ endpoint_id: endpointId }}
      className="svc-button svc-button--secondary svc-button--small"
    >
      <Icon name="replay" /> Replay messages
    </Link>
  );
}

function Rows({ filters }: { filters: MessageFilters }) {
  const list = useRef<HTMLUListElement>(null);
  const query = messagesQuery(filters);
  const messages = useInfiniteQuery({
    ...query,
    // A refresh reloads every page, and a search may have loaded hundreds of them.
    refetchInterval: ({ state }) => (wasSearched(state.data?.pages) ? false : pollIntervals.live),
    refetchOnWindowFocus: ({ state }) => !wasSearched(state.data?.pages),
    refetchOnReconnect: ({ state }) => !wasSearched(state.data?.pages),
  });
  const search = useSearch(messages, query.queryKey, { timeOf: ({ created_at }) => created_at });
  const all = messages.data?.pages.flatMap((page) => page.items) ?? [];
  const { shown, waiting, showAll } = useBufferedRows(all, list);
  if (messages.isPending) return <RowsSkeleton rows={8} label="Loading messages" />;
  if (messages.isError && all.length === 0 && search.state !== 'failed') {
    const retry = () => messages.refetch();
    return <Problem what="The messages could not be loaded" error={messages.error} retry={retry} />;
  }
  const progress = <SearchProgress search={search} error={messages.error} what="messages" />;
  if (all.length === 0 && search.state !== 'idle') return progress;
  if (all.length === 0) return <NoMessages filtered={Object.values(filters).some(Boolean)} />;
  return (
    <>
      <div className="rows__head rows__head--messages" aria-hidden="true">
        <span>State</span>
        <span>Event type</span>
        <span className="message-row__tenant">Tenant</span>
        <span>Published</span>
      </div>
      <div className="rows__waiting" role="status">
        {waiting > 0 ? (
          <button type="button" className="svc-button svc-button--small" onClick={showAll}>
            Show {waiting} new {waiting === 1 ? 'message' : 'messages'}
          </button>
        ) : null}
      </div>
      <ul className="rows" ref={list}>
        {shown.map((message) => (
          <MessageRow key={message.id} message={message} filters={filters} />
        ))}
      </ul>
      {progress}
      {search.state === 'idle' ? (
        <MoreRows of={{ ...messages, fetchNextPage: search.more }}>Show older messages</MoreRows>
      ) : null}
    </>
  );
}

/** Whether a page ended before it was full. */
export function wasSearched(
  pages: readonly { readonly searched_back_to: string | null }[] = [],
): boolean {
  return pages.some(({ searched_back_to }) => searched_back_to !== null);
}

function NoMessages({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="filter" title="No messages match these filters">
        <Link to="/messages" className="svc-button svc-button--secondary svc-button--small">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="messages" title="No messages yet">
      <p>
        Messages appear here as soon as something happens to one of your tenants, or when you send a
        test.
      </p>
      <Link to="/testing" className="svc-button svc-button--secondary svc-button--small">
        Send a test
      </Link>
    </Empty>
  );
}

export type { Message };

/** One message as a row. The whole row is the link. */
export function MessageRow({ message, filters }: { message: Message; filters: MessageFilters }) {
  const { tone, word } = summarizeState(message.deliveries);
  return (
    <li>
      <Link
        to="/messages/$messageId"
        params={{ messageId: message.id }}
        search={filters as Record<string, never>}
        className="row message-row"
        data-row
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="message-row__type">
          {message.event_type}
          {message.custom ? <span className="tag">custom</span> : null}
          {message.test ? <span className="tag">test</span> : null}
        </span>
        <span className="message-row__tenant">{visibleText(message.external_id ?? '')}</span>
        <span className="row__time">
          <Ago at={message.created_at} />
        </span>
      </Link>
    </li>
  );
}

/**
 * Keeps a live list from moving while someone reads it. While the pointer or focus is in the list, or
 * it is scrolled, new rows are buffered until `showAll` is called.
 */
export function useBufferedRows<T extends { id: string }>(
  rows: readonly T[],
  list: RefObject<HTMLElement | null>,
): { shown: readonly T[]; waiting: number; showAll: () => void } {
  const newest = rows[0]?.id ?? null;
  const [top, setTop] = useState(newest);
  const waiting = Math.max(
    0,
    rows.findIndex(({ id }) => id === top),
  );
  useEffect(() => {
    if (newest !== top && (waiting === 0 || !isBeingRead(list.current))) setTop(newest);
  }, [newest, top, waiting, list]);
  return { shown: rows.slice(waiting), waiting, showAll: () => setTop(newest) };
}

function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return list.matches(':hover, :focus-within') || list.getBoundingClientRect().top < 0;
}
