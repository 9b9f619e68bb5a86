import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { endpointsQuery } from '../api/endpoints.ts';
import { type Replay, replayQuery } from '../api/replays.ts';
import { useEscape } from '../app/shortcuts-dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { minuteTime } from '../components/time/format-time.ts';
import { Ago } from '../components/time/time.tsx';
import { UrlText } from '../components/url-text.tsx';
import { useSession } from '../session/session-gate.tsx';
import { describeFilter, describeProgress, replayMarks } from './describe-replay.ts';
import { ReplayControls } from './replay-controls.tsx';
import './replays.css';

const route = getRouteApi('/replays/$replayId');

export function ReplayPage() {
  const { replayId } = route.useParams();
  const navigate = useNavigate();
  useEscape(useCallback(() => void navigate({ to: '/replays' }), [navigate]));
  const replay = useQuery({
    ...replayQuery(replayId),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 1_000),
  });
  return (
    <div className="page">
      <Link to="/replays" className="page__back svc-link">
        <Icon name="back" /> Replays
      </Link>
      {replay.data ? null : <PageHeader title="Replay" />}
      {replay.isPending ? <RowsSkeleton rows={5} label="Loading the replay" /> : null}
      {replay.isError && !replay.data ? (
        <Problem
          what="The replay could not be loaded"
          error={replay.error}
          retry={() => replay.refetch()}
        />
      ) : null}
      {replay.data ? <ReplayBody replay={replay.data} /> : null}
    </div>
  );
}

/** Over, and nothing of it is still on the way. */
function isOver(replay: Replay | undefined): boolean {
  if (replay === undefined) return false;
  const { state, replayed, delivered, failed } = replay;
  return (state === 'completed' || state === 'canceled') && delivered + failed >= replayed;
}

function ReplayBody({ replay }: { replay: Replay }) {
  const { read_only } = useSession();
  const { tone, word } = replayMarks[replay.state];
  const endpoints = useQuery(endpointsQuery);
  const endpoint = endpoints.data?.find(({ id }) => id === replay.endpoint_id);
  return (
    <>
      <PageHeader title="Replay" actions={read_only ? null : <ReplayControls replay={replay} />}>
        <p className="page-header__lead">
          <StateMark tone={tone}>{word}</StateMark>
          {endpoint ? (
            <Link
              to="/endpoints/$endpointId"
              params={{ endpointId: endpoint.id }}
              className="svc-link"
            >
              <UrlText url={endpoint.url} />
            </Link>
          ) : null}
        </p>
      </PageHeader>
      <Progress replay={replay} />
      <section className="svc-card side-card replay__facts" aria-label="What was chosen">
        <h2 className="section-title">What was chosen</h2>
        <dl className="facts">
          <Fact name="Messages">{describeFilter(replay.filter)}</Fact>
          <Fact name="Published">
            {minuteTime(replay.since)} to {minuteTime(replay.until)}
          </Fact>
          <Fact name="Rate">
            {replay.rate_per_second === null
              ? 'As fast as the endpoint allows'
              : `At most ${replay.rate_per_second} a second`}
          </Fact>
          <Fact name="Started">
            <Ago at={replay.created_at} inline />
          </Fact>
          {replay.finished_at === null ? null : (
            <Fact name="Ended">
              <Ago at={replay.finished_at} inline />
            </Fact>
          )}
        </dl>
        <Link
          to="/messages"
          search={{ endpoint_id: replay.endpoint_id, since: replay.since, until: replay.until }}
          className="svc-link"
        >
          See the messages of that time
        </Link>
      </section>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
      </dd>
    </div>
  );
}

/** The bar's parts: delivered, failed, on the way; the words beside it say the same. */
function Progress({ replay }: { replay: Replay }) {
  const { total, replayed, delivered, failed } = replay;
  const share = (count: number) => (total === 0 ? 0 : Math.min(100, (100 * count) / total));
  const words = describeProgress(replay);
  return (
    <section className="progress" aria-label="Progress">
      <p className="progress__number">{total === 0 ? 100 : Math.floor(share(replayed))} %</p>
      <div
        className="progress__bar"
        role="progressbar"
        aria-label="Sent again"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={replayed}
        aria-valuetext={words}
      >
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect className="progress__way" width={share(replayed)} height="1" />
          <rect className="progress__failed" width={share(delivered + failed)} height="1" />
          <rect className="progress__good" width={share(delivered)} height="1" />
        </svg>
      </div>
      <p className="progress__words" role="status">
        {words}
      </p>
    </section>
  );
}
