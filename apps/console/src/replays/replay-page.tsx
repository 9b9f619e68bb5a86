import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useEscape } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { endpointsQuery } from '../api/endpoints.ts';
import { controlReplay, type Replay, type ReplayControl, replayQuery } from '../api/replays.ts';
import { useSession } from '../session/use-session.ts';
import { countMessages, describeFilter, describeProgress, replayMarks } from './describe-replay.ts';
import './replays.css';

const route = getRouteApi('/replays/$replayId');

export function ReplayPage() {
  const { replayId } = route.useParams();
  const navigate = useNavigate();
  useEscape(useCallback(() => void navigate({ to: '/replays' }), [navigate]));
  const replay = useQuery({
    ...replayQuery(replayId),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : pollIntervals.inProgress),
  });
  return (
    <div className="page">
      <Link to="/replays" className="page__back svc-link">
        <Icon name="back" /> Replays
      </Link>
      {replay.data ? null : <PageHeader title="Replay" />}
      <LoadState
        query={replay}
        loading="Loading the replay"
        rows={5}
        failed="The replay could not be loaded"
      />
      {replay.data ? <ReplayBody replay={replay.data} /> : null}
    </div>
  );
}

/** Returns whether the replay has ended and none of its messages are in flight. */
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
      <section className="svc-card side-card replay__facts" aria-label="Selection">
        <h2 className="section-title">Selection</h2>
        <dl className="facts">
          <Fact name="Messages">{describeFilter(replay.filter)}</Fact>
          <Fact name="Published">
            <span>
              {minuteTime(replay.since)} to {minuteTime(replay.until)}
            </span>
          </Fact>
          <Fact name="Rate">
            {replay.rate_per_second === null
              ? 'Unlimited'
              : `At most ${replay.rate_per_second} per second`}
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
          View messages from this period
        </Link>
      </section>
    </>
  );
}

/** A progress bar with delivered, failed, and in-flight parts, and the same numbers as text. */
function Progress({ replay }: { replay: Replay }) {
  const { total, replayed, delivered, failed } = replay;
  const share = (count: number) => (total === 0 ? 0 : Math.min(100, (100 * count) / total));
  const words = describeProgress(replay);
  return (
    <section className="progress" aria-label="Progress">
      <p className="progress__number">{total === 0 ? 100 : Math.floor(share(replayed))}%</p>
      <div
        className="progress__bar"
        role="progressbar"
        aria-label="Replay progress"
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

/** Buttons to pause, resume, or cancel the replay, depending on its state. */
function ReplayControls({ replay }: { replay: Replay }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const id = replay.id ?? '';
  const steering = useMutation({
    mutationFn: (what: ReplayControl) => controlReplay(id, what),
    onSuccess: (changed, what) => {
      queryClient.setQueryData(replayQuery(id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['replays'] });
      if (what === 'cancel') setAsking(false);
    },
    // The cancel dialog shows its own error.
    onError: (error, what) => what === 'cancel' || showToast(error.message),
  });
  if (replay.state === 'completed' || replay.state === 'canceled') return null;
  const running = replay.state === 'running';
  return (
    <>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        aria-busy={steering.isPending}
        onClick={() => {
          if (!steering.isPending) steering.mutate(running ? 'pause' : 'resume');
        }}
      >
        {running ? 'Pause' : 'Resume'}
      </button>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => {
          steering.reset();
          setAsking(true);
        }}
      >
        Cancel replay
      </button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this replay?"
        error={steering.error}
        cancel="Keep running"
        act="Cancel replay"
        danger
        pending={steering.isPending}
        onAct={() => steering.mutate('cancel')}
      >
        <p>
          {countMessages(Math.max(0, replay.total - replay.replayed))} will not be sent again.
          Messages already sent are not affected, and earlier retries continue on schedule.
        </p>
      </ConfirmDialog>
    </>
  );
}
