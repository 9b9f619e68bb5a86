import type { Activity } from '../api/activity.ts';
import { describeMs } from '../deliveries/split-timing.ts';
import { nameBucket } from './summarize-activity.ts';

/** What the charts show, in numbers; times without an attempt are left out. */
export function ActivityTable({ activity }: { activity: Activity }) {
  const rows = activity.buckets.filter(({ delivered, failed }) => delivered + failed > 0);
  return (
    <details className="activity__table">
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
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
