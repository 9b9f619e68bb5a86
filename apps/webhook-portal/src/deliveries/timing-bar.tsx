import type { Timed } from './describe-attempt.ts';
import { describeMs, splitTiming } from './split-timing.ts';

/** The parts to scale in one bar, and the same in words and numbers below. */
export function TimingBar({ attempt }: { attempt: Timed }) {
  const parts = splitTiming(attempt);
  const { connect, first_byte } = attempt.timing_in_ms;
  if (parts.length === 0)
    return <p className="story__quiet">Less than a tenth of a millisecond.</p>;
  return (
    <div className="timing">
      <div className="timing__bar" aria-hidden="true">
        {parts.map(({ className, ms }) => (
          <span
            key={className}
            className={`timing__part timing__part--${className}`}
            style={{ flexGrow: ms }}
          />
        ))}
      </div>
      <ul className="timing__legend">
        {parts.map(({ name, className, ms }) => (
          <li key={className}>
            <span className={`timing__key timing__part--${className}`} aria-hidden="true" />
            {name} <strong>{describeMs(ms)}</strong>
          </li>
        ))}
      </ul>
      {connect === null && first_byte !== null ? (
        <p className="story__quiet">On a connection that was already open.</p>
      ) : null}
    </div>
  );
}
