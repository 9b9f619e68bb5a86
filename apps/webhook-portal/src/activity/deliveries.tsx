import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { activityQuery } from '../api/activity.ts';
import { Empty } from '../components/empty.tsx';
import { Problem } from '../components/problem.tsx';
import { wallNow } from '../components/time/clock.ts';
import { zoneName } from '../components/time/format-time.ts';
import { ActivityTable } from './activity-table.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { OutcomeChart } from './outcome-chart.tsx';
import { sumUp } from './summarize-activity.ts';

export function Deliveries(props: { days: number; endpointId: string | undefined }) {
  const { days, endpointId } = props;
  const activity = useQuery({
    ...activityQuery({ days, endpoint_id: endpointId }, wallNow()),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  if (activity.isPending) return <ChartsSkeleton />;
  if (!activity.data) {
    const retry = () => activity.refetch();
    return <Problem what="The activity could not be loaded" error={activity.error} retry={retry} />;
  }
  const { delivered, failed } = sumUp(activity.data.buckets);
  if (delivered + failed === 0) {
    return (
      <Empty icon="activity" title="Nothing was sent in this time">
        <p>Choose a longer time, or send something.</p>
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
        Times are in {zoneName(wallNow())}. p50 and p95 are estimates and count delivered and failed
        attempts.
      </p>
      <ActivityTable activity={activity.data} />
    </div>
  );
}

function ChartsSkeleton() {
  return (
    <div className="activity__charts" role="status">
      <span className="svc-visually-hidden">Loading the activity</span>
      <span className="svc-skeleton activity__wait" />
      <span className="svc-skeleton activity__wait" />
    </div>
  );
}
