import { useClock } from './clock.ts';
import { describeAge, describeCountdown, describeWait, exactTime } from './relative-time.ts';

/** "4 min ago", with the exact instant on hover. */
export function Ago({ at }: { at: string }) {
  const instant = Date.parse(at);
  return <Instant at={at} words={useClock((now) => describeAge(now - instant))} />;
}

/** "in 4 min", with the exact instant on hover. */
export function Until({ at }: { at: string }) {
  const instant = Date.parse(at);
  return <Instant at={at} words={useClock((now) => describeWait(instant - now))} />;
}

/** "4:59", running down. */
export function Countdown({ at }: { at: string }) {
  const instant = Date.parse(at);
  return <Instant at={at} words={useClock((now) => describeCountdown(instant - now))} />;
}

function Instant({ at, words }: { at: string; words: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {words}
    </time>
  );
}
