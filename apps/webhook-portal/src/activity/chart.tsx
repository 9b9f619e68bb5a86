import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import type { Activity, Bucket } from '../api/activity.ts';
import { nameBucket, nameEnd } from './summarize-activity.ts';

/**
 * A frame for one drawing over the buckets: pointer or arrow keys choose a bucket, and its exact
 * values stand above. The table below the charts holds the same for who can't see them.
 */
export function Chart(props: {
  title: string;
  activity: Activity;
  /** What stands above while no bucket is chosen. */
  legend: ReactNode;
  top: string;
  describe: (bucket: Bucket) => string;
  /** Drawn in one unit of width a bucket, and one of height. */
  children: ReactNode;
}) {
  const { title, activity, describe } = props;
  const { buckets, step_seconds } = activity;
  const { chosen, handlers } = useChosen(buckets.length);
  const bucket = chosen === null ? undefined : buckets[chosen];
  const span = buckets.length * step_seconds;
  return (
    <figure className="chart">
      <figcaption className="chart__head">
        <h2 className="section-title">{title}</h2>
        <p className="chart__reads" aria-live="polite">
          {bucket ? (
            <>
              <strong>{nameBucket(bucket.at, step_seconds)}</strong> {describe(bucket)}
            </>
          ) : (
            props.legend
          )}
        </p>
      </figcaption>
      <div className="chart__plot">
        <span className="chart__top">{props.top}</span>
        <div
          className="chart__area"
          role="img"
          aria-label={`${title}: choose a time with the arrow keys, or read the table below`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its values.
          tabIndex={0}
          {...handlers}
        >
          <svg
            viewBox={`0 0 ${buckets.length} 1`}
            preserveAspectRatio="none"
            aria-hidden="true"
            className="chart__svg"
          >
            {chosen === null ? null : (
              <rect className="chart__chosen" x={chosen} width="1" height="1" />
            )}
            {props.children}
          </svg>
        </div>
      </div>
      <div className="chart__ends" aria-hidden="true">
        <span>{nameEnd(buckets[0]?.at ?? '', span)}</span>
        <span>Now</span>
      </div>
    </figure>
  );
}

/** Which of `count` equal parts the pointer is on, or the arrow keys went to. */
function useChosen(count: number) {
  const [chosen, setChosen] = useState<number | null>(null);
  const choose = (index: number) => setChosen(Math.max(0, Math.min(count - 1, index)));
  const leave = () => setChosen(null);
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    choose(Math.floor(((event.clientX - left) / width) * count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose((chosen ?? (step > 0 ? -1 : count)) + step);
  };
  const handlers = {
    onPointerMove: onPointer,
    onPointerDown: onPointer,
    onPointerLeave: leave,
    onKeyDown,
    onBlur: leave,
  };
  return { chosen, handlers };
}
