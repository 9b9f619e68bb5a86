import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState, MoreRows } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { endpointsQuery } from '../api/endpoints.ts';
import { type Replay, replaysQuery } from '../api/replays.ts';
import { useSession } from '../session/use-session.ts';
import { describeFilter, replayMarks } from './describe-replay.ts';
import './replays.css';

/** All replays, newest first. */
export function ReplayList() {
  const { read_only } = useSession();
  const replays = useInfiniteQuery({ ...replaysQuery, refetchInterval: pollIntervals.live });
  const rows = replays.data?.pages.flatMap((page) => page.items) ?? [];
  const start = read_only ? null : (
    <Link to="/replays/new" className="svc-button svc-button--small">
      <Icon name="replay" /> Replay messages
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title="Replays" actions={rows.length > 0 ? start : null} />
      <LoadState
        query={replays}
        loading="Loading replays"
        rows={5}
        failed="The replays could not be loaded"
        hasData={rows.length > 0}
      />
      {replays.isSuccess && rows.length === 0 ? (
        <Empty icon="replay" title="No replays yet">
          <p>
            After an outage on your side, resend everything that failed in one step. You see how
            many messages will be sent before you start, and you can pause at any time.
          </p>
          {start}
        </Empty>
      ) : null}
      {rows.length > 0 ? <Rows rows={rows} /> : null}
      <MoreRows of={replays}>Show older replays</MoreRows>
    </div>
  );
}

function Rows({ rows }: { rows: Replay[] }) {
  const endpoints = useQuery(endpointsQuery);
  return (
    <div>
      <div className="rows__head rows__head--replays" aria-hidden="true">
        <span>State</span>
        <span>Endpoint</span>
        <span className="replay-row__what">Messages</span>
        <span>Sent</span>
        <span className="row__time">Started</span>
      </div>
      <ul className="rows">
        {rows.map((replay) => (
          <ReplayRow
            key={replay.id}
            replay={replay}
            url={endpoints.data?.find(({ id }) => id === replay.endpoint_id)?.url}
          />
        ))}
      </ul>
    </div>
  );
}

function ReplayRow({ replay, url }: { replay: Replay; url: string | undefined }) {
  const { tone, word } = replayMarks[replay.state];
  return (
    <li>
      <Link
        to="/replays/$replayId"
        params={{ replayId: replay.id ?? '' }}
        className="row replay-row"
        data-row
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="replay-row__url">{visibleText(url ?? 'Deleted endpoint')}</span>
        <span className="replay-row__what">{describeFilter(replay.filter)}</span>
        <span className="replay-row__count">
          {replay.replayed.toLocaleString('en-US')} of {replay.total.toLocaleString('en-US')}
        </span>
        <span className="row__time">
          <Ago at={replay.created_at} />
        </span>
      </Link>
    </li>
  );
}
