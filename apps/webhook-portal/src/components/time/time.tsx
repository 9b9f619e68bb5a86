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
  /** Within a sentence: the exact time stands in parentheses. */
  inline?: boolean;
}

/** "4 min ago" and the exact time with its zone. */
export function Ago(props: At) {
  const instant = Date.parse(props.at);
  return <Instant {...props} words={useClock((now) => describeAge(now - instant))} />;
}

/** "in 4 min" and the exact time with its zone. */
export function Until(props: At) {
  const instant = Date.parse(props.at);
  return <Instant {...props} words={useClock((now) => describeWait(instant - now))} />;
}

/** "4:59", running down, and the exact time with its zone. */
export function Countdown(props: At) {
  const instant = Date.parse(props.at);
  return <Instant {...props} words={useClock((now) => describeCountdown(instant - now))} />;
}

/**
 * Relative and exact side by side. A list without space for both (see time.css) shows the exact
 * time while its row is hovered or focused; the weekday and the year are in the title.
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
