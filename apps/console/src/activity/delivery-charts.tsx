import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Empty, Problem } from '@svc/ui/console/parts/page-states.tsx';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import { zoneName } from '@svc/ui/console/time/format-time.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Activity, activityQuery, type Bucket } from '../api/activity.ts';
import { describeMs } from '../deliveries/describe-attempt.ts';
import { Chart } from './chart.tsx';
import { countOutcomes, nameBucket } from './summarize-activity.ts';

export function Deliveries(props: { days: number; endpointId: string | undefined }) {
  const { days, endpointId } = props;
  const activity = useQuery({
    ...activityQuery({ days, endpoint_id: endpointId }, currentTime()),
    placeholderData: keepPreviousData,
    refetchInterval: pollIntervals.charts,
  });
  if (activity.isPending) return <ChartsSkeleton />;
  if (!activity.data) {
    const retry = () => activity.refetch();
    return <Problem what="The activity could not be loaded" error={activity.error} retry={retry} />;
  }
  const { delivered, failed } = countOutcomes(activity.data.buckets);
  if (delivered + failed === 0) {
    return (
      <Empty icon="activity" title="Nothing was sent in this period">
        <p>Choose a longer period, or publish a custom event.</p>
        <Link to="/testing" className="svc-button svc-button--secondary svc-button--small">
          Publish a custom event
        </Link>
      </Empty>
    );
  }
  return (
    <div className="activity__charts">
      <OutcomeChart activity={activity.data} />
      <LatencyChart activity={activity.data} />
      <p className="activity__zone">
        Times are in {zoneName(currentTime())}. p50 and p95 are estimates over all attempts.
      </p>
      <ActivityTable activity={activity.data} />
    </div>
  );
}

function ChartsSkeleton() {
  return (
    <div className="activity__charts" role="status">
      <span className="svc-visually-hidden">Loading activity</span>
      <span className="svc-skeleton activity__wait" />
      <span className="svc-skeleton activity__wait" />
    </div>
  );
}

/** Attempts over time as stacked bars: delivered at the bottom, failed on top. */
function OutcomeChart({ activity }: { activity: Activity }) {
  const { buckets } = activity;
  const { delivered, failed, successPercent } = countOutcomes(buckets);
  return (
    <Chart
      title="Attempts"
      activity={activity}
      describeValue={(count) => compactCount.format(count)}
      lines={[
        // These bars count all attempts. The bars of delivered ones cover them, so the failed ones stay visible.
        {
          color: 'bad',
          shape: 'bars',
          values: buckets.map((each) => each.delivered + each.failed),
        },
        { color: 'good', shape: 'bars', values: buckets.map((each) => each.delivered) },
      ]}
      describe={(bucket) =>
        `${bucket.delivered.toLocaleString('en-US')} delivered, ${bucket.failed.toLocaleString('en-US')} failed`
      }
      legend={
        <>
          <span className="chart__key chart__key--good">
            {delivered.toLocaleString('en-US')} delivered
          </span>{' '}
          <span className="chart__key chart__key--bad">
            {failed.toLocaleString('en-US')} failed
          </span>{' '}
          <span>{successPercent === null ? '' : `${successPercent} of attempts succeeded`}</span>
        </>
      }
    />
  );
}

/** Formats at most six characters ("1.25M"), which is what the axis has space for. */
const compactCount = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 2,
});

/** The duration of attempts, delivered or failed, from the start to the last byte of the response. */
function LatencyChart({ activity }: { activity: Activity }) {
  const { buckets } = activity;
  return (
    <Chart
      title="Response time"
      activity={activity}
      describe={describeBucket}
      describeValue={describeTick}
      lines={[
        { color: 'p95', shape: 'dashes', values: buckets.map(({ p95_ms }) => p95_ms) },
        { color: 'p50', shape: 'line', values: buckets.map(({ p50_ms }) => p50_ms) },
      ]}
      legend={
        <>
          <span className="chart__key chart__key--p95">
            p95: 95% of attempts took at most this long
          </span>{' '}
          <span className="chart__key chart__key--p50">
            p50: half of attempts took at most this long
          </span>
        </>
      }
    />
  );
}

function describeBucket({ p50_ms, p95_ms }: Bucket): string {
  if (p50_ms === null || p95_ms === null) return 'no attempts';
  return `p50 ${describeMs(p50_ms)}, p95 ${describeMs(p95_ms)}`;
}

/** Formats an axis tick. Ticks are round numbers, so they need no decimals. */
function describeTick(ms: number): string {
  if (ms === 0) return '0';
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

/** The charts' data as a table, without buckets that have no attempts. */
function ActivityTable({ activity }: { activity: Activity }) {
  const rows = activity.buckets.filter(({ delivered, failed }) => delivered + failed > 0);
  return (
    <details className="activity__table">
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard. */}
      <section className="activity__scroll" tabIndex={0} aria-label="Activity in numbers">
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Delivered</th>
              <th scope="col">Failed</th>
              <th scope="col">p50</th>
              <th scope="col">p95</th>
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map(({ at, delivered, failed, p50_ms, p95_ms }) => (
              <tr key={at}>
                <th scope="row">{nameBucket(at, activity.step_seconds)}</th>
                <td>{delivered.toLocaleString('en-US')}</td>
                <td>{failed.toLocaleString('en-US')}</td>
                <td>{p50_ms === null ? '–' : describeMs(p50_ms)}</td>
                <td>{p95_ms === null ? '–' : describeMs(p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
