import { useClock } from './clock.ts';
import {
  compactTime,
  describeAge,
  describeCountdown,
  describeWait,
  exactTime,
} from './format-time.ts';
import './time.css';

interface At {
  at: string;
  /** For use within a sentence: puts the exact time in parentheses. */
  inline?: boolean;
}

/** A past instant: "4 min ago" and the exact time with its zone. */
export function Ago(props: At) {
  const instant = Date.parse(props.at);
  return <Instant {...props} words={useClock((now) => describeAge(now - instant))} />;
}

/** A future instant: "in 4 min" and the exact time with its zone. */
export function Until(props: At) {
  const instant = Date.parse(props.at);
  return <Instant {...props} words={useClock((now) => describeWait(instant - now))} />;
}

/** A countdown to an instant: "4:59" and the exact time with its zone. */
export function Countdown(props: At) {
  const instant = Date.parse(props.at);
  return <Instant {...props} words={useClock((now) => describeCountdown(instant - now))} />;
}

/**
 * Shows relative and exact time together. Lists without space for both (see time.css) show the exact
 * time while the row is hovered or focused. The tooltip adds the weekday and year.
 */
function Instant({ at, inline = false, words }: At & { words: string }) {
  const instant = Date.parse(at);
  const exact = useClock((now) => compactTime(instant, now));
  return (
    <time className={inline ? 'when when--inline' : 'when'} dateTime={at} title={exactTime(at)}>
      <span className="when__relative">{words}</span>{' '}
      <span className="when__exact">{inline ? `(${exact})` : exact}</span>
    </time>
  );
}
