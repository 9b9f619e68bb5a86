import type { Activity } from '../api/activity.ts';
import { Chart } from './chart.tsx';
import { sumUp } from './summarize-activity.ts';

/** Attempts over time: delivered below, failed on top of them. */
export function OutcomeChart({ activity }: { activity: Activity }) {
  const { buckets } = activity;
  const { delivered, failed, successPercent } = sumUp(buckets);
  return (
    <Chart
      title="Attempts"
      activity={activity}
      describeValue={(count) => compactCount.format(count)}
      lines={[
        // All, and the delivered in front of them: what shows above are the failed.
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

/** "1.25M": at most six characters, which is what the axis has space for. */
const compactCount = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 2,
});
