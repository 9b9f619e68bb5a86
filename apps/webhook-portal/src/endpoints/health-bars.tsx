import { sumUp } from '../activity/summarize-activity.ts';
import type { EndpointHealth } from '../api/activity.ts';

/** One bar an hour: the failed part on top of the delivered, faint where nothing was sent. */
export function HealthBars({ hours }: { hours: EndpointHealth['hours'] }) {
  const { delivered, failed, successPercent } = sumUp(hours);
  const words =
    successPercent === null
      ? 'Nothing sent'
      : `${delivered.toLocaleString('en-US')} delivered, ${failed.toLocaleString('en-US')} failed`;
  return (
    <span className="health" title={words}>
      <svg
        className="health__bars"
        viewBox={`0 0 ${hours.length * 4 - 1} 16`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {hours.map((hour, index) => (
          <HourBar key={hour.at} hour={hour} x={index * 4} />
        ))}
      </svg>
      <span className="health__words">{successPercent ?? 'Quiet'}</span>
    </span>
  );
}

function HourBar({ hour, x }: { hour: EndpointHealth['hours'][number]; x: number }) {
  const all = hour.delivered + hour.failed;
  if (all === 0) return <rect className="health__quiet" x={x} y="13" width="3" height="3" />;
  // One failure of thousands is still to be seen.
  const bad = hour.failed === 0 ? 0 : Math.max(4, Math.round((16 * hour.failed) / all));
  return (
    <>
      <rect className="health__good" x={x} y={bad} width="3" height={16 - bad} />
      <rect className="health__bad" x={x} width="3" height={bad} />
    </>
  );
}
