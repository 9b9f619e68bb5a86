import type { Activity } from '../api/activity.ts';
import { Chart } from './chart.tsx';
import { axisTop, sumUp } from './summarize-activity.ts';

/** Attempts over time: delivered below, failed on top of them. */
export function OutcomeChart({ activity }: { activity: Activity }) {
  const { buckets } = activity;
  const top = axisTop(Math.max(...buckets.map(({ delivered, failed }) => delivered + failed)));
  const { delivered, failed, successPercent } = sumUp(buckets);
  return (
    <Chart
      title="Attempts"
      activity={activity}
      top={top.toLocaleString('en-US')}
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
          <span>{successPercent === null ? '' : `${successPercent} of attempts succeed`}</span>
        </>
      }
    >
      {buckets.map(({ at, delivered: good, failed: bad }, index) => (
        <g key={at}>
          <rect
            className="chart__good"
            x={index + 0.1}
            width="0.8"
            y={1 - good / top}
            height={good / top}
          />
          <rect
            className="chart__bad"
            x={index + 0.1}
            width="0.8"
            y={1 - (good + bad) / top}
            height={bad / top}
          />
        </g>
      ))}
    </Chart>
  );
}
