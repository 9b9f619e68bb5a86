import type { Activity, Bucket } from '../api/activity.ts';
import { describeMs } from '../deliveries/split-timing.ts';
import { Chart } from './chart.tsx';

/** How long attempts take, delivered or failed, from the start to the last byte of the answer. */
export function LatencyChart({ activity }: { activity: Activity }) {
  const { buckets } = activity;
  return (
    <Chart
      title="Time to answer"
      activity={activity}
      describe={describeBucket}
      describeValue={describeTick}
      lines={[
        { color: 'p95', shape: 'dashes', values: buckets.map(({ p95_ms }) => p95_ms) },
        { color: 'p50', shape: 'line', values: buckets.map(({ p50_ms }) => p50_ms) },
      ]}
      legend={
        <>
          <span className="chart__key chart__key--p95">p95: 95 % took at most this long</span>{' '}
          <span className="chart__key chart__key--p50">p50: half took at most this long</span>
        </>
      }
    />
  );
}

function describeBucket({ p50_ms, p95_ms }: Bucket): string {
  if (p50_ms === null || p95_ms === null) return 'no attempt';
  return `p50 ${describeMs(p50_ms)}, p95 ${describeMs(p95_ms)}`;
}

/** A round number, so without a digit behind the point that says nothing. */
function describeTick(ms: number): string {
  if (ms === 0) return '0';
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}
