import type { Activity, Bucket } from '../api/activity.ts';
import { describeMs } from '../attempts/split-timing.ts';
import { Chart } from './chart.tsx';
import { axisTop } from './summarize-activity.ts';

/** How long the receivers take: the middle attempt, and the slowest of twenty. */
export function LatencyChart({ activity }: { activity: Activity }) {
  const { buckets } = activity;
  const top = axisTop(
    Math.max(0, ...buckets.flatMap(({ p50_ms, p95_ms }) => [p50_ms ?? 0, p95_ms ?? 0])),
  );
  return (
    <Chart
      title="Time to answer"
      activity={activity}
      top={describeMs(top)}
      describe={describeBucket}
      legend={
        <>
          <span className="chart__key chart__key--p95">p95, the slowest of twenty</span>{' '}
          <span className="chart__key chart__key--p50">p50, the middle one</span>
        </>
      }
    >
      <path className="chart__p95" d={lineOf(buckets, 'p95_ms', top)} />
      <path className="chart__p50" d={lineOf(buckets, 'p50_ms', top)} />
    </Chart>
  );
}

function describeBucket({ p50_ms, p95_ms }: Bucket): string {
  if (p50_ms === null || p95_ms === null) return 'no attempt';
  return `p50 ${describeMs(p50_ms)}, p95 ${describeMs(p95_ms)}`;
}

/** Broken where there was no attempt; one alone is drawn as wide as its bucket. */
function lineOf(buckets: readonly Bucket[], which: 'p50_ms' | 'p95_ms', top: number): string {
  let path = '';
  buckets.forEach((bucket, index) => {
    const value = bucket[which];
    if (value === null) return;
    const y = (1 - value / top).toFixed(4);
    const goesOn = (buckets[index - 1]?.[which] ?? null) !== null;
    path += goesOn ? `L${index + 0.5} ${y}` : `M${index + 0.1} ${y}L${index + 0.5} ${y}`;
    if ((buckets[index + 1]?.[which] ?? null) === null) path += `L${index + 0.9} ${y}`;
  });
  return path;
}
