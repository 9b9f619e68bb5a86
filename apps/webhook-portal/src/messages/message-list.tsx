import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import {
  type Message,
  type MessageFilters,
  type MessagesPage,
  messagesQuery,
} from '../api/messages.ts';
import { Empty } from '../components/empty.tsx';
import { Icon } from '../components/icon.tsx';
import { MoreRows } from '../components/more-rows.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';
import { useSession } from '../session/session-gate.tsx';
import { MessageFilterBar } from './message-filter-bar.tsx';
import { MessageRow } from './message-row.tsx';
import { SearchProgress } from './search-progress.tsx';
import { useHeldBack } from './use-held-back.ts';
import { useSearch } from './use-search.ts';

const route = getRouteApi('/messages');

export function MessageList() {
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

/** What is filtered down to one endpoint can be sent to it again. */
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
    // A refresh asks for every page again, and a search may have gone through hundreds of them.
    refetchInterval: ({ state }) => (wasSearched(state.data?.pages) ? false : 5_000),
    refetchOnWindowFocus: ({ state }) => !wasSearched(state.data?.pages),
    refetchOnReconnect: ({ state }) => !wasSearched(state.data?.pages),
  });
  const search = useSearch(messages, query.queryKey);
  const all = messages.data?.pages.flatMap((page) => page.items) ?? [];
  const { shown, waiting, showAll } = useHeldBack(all, list);
  if (messages.isPending) return <RowsSkeleton rows={8} label="Loading messages" />;
  if (messages.isError && all.length === 0 && search.state !== 'failed') {
    const retry = () => messages.refetch();
    return <Problem what="The messages could not be loaded" error={messages.error} retry={retry} />;
  }
  const progress = <SearchProgress search={search} error={messages.error} />;
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

function wasSearched(pages: readonly MessagesPage[] = []): boolean {
  return pages.some(({ searched_back_to }) => searched_back_to !== null);
}

function NoMessages({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="filter" title="No message matches these filters">
        <Link to="/messages" className="svc-button svc-button--secondary svc-button--small">
          Remove all filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="messages" title="No messages yet">
      <p>
        They appear here the moment something happens to one of your tenants, or when you publish a
        test.
      </p>
      <Link to="/testing" className="svc-button svc-button--secondary svc-button--small">
        Send a test
      </Link>
    </Empty>
  );
}

export type { Message };
