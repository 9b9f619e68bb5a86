import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Activity, Bucket } from '../api/activity.ts';
import type { Color, Drawn, Line, Plot } from './make-plot.ts';
import { nameBucket } from './summarize-activity.ts';

/**
 * One plot over the buckets. The pointer or the arrow keys select a bucket, and its values are shown
 * above the plot. Screen reader users can read the same data in the table below the charts.
 */
export function Chart(props: {
  title: string;
  activity: Activity;
  /** Shown above the plot while no bucket is selected. */
  legend: ReactNode;
  describe: (bucket: Bucket) => string;
  describeValue: (value: number) => string;
  lines: readonly Line[];
}) {
  const { title, activity, describe, describeValue, lines } = props;
  const { buckets, step_seconds } = activity;
  const drawn = useMemo(() => drawnOf(activity, lines), [activity, lines]);
  const { area, failed, chosen, choose } = usePlot(drawn, describeValue);
  const bucket = chosen === null ? undefined : buckets[chosen];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen ?? (step > 0 ? -1 : buckets.length)) + step;
    choose(Math.max(0, Math.min(buckets.length - 1, next)));
  };
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
      {colors.map((color) => (
        <span key={color} hidden className={`chart__color--${color}`} />
      ))}
      <div
        ref={area}
        className="chart__area"
        role="img"
        aria-label={`${title}. Use the arrow keys to pick a time, or read the table below.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its values.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => choose(null)}
      >
        {failed ? (
          <p className="chart__failed">
            This browser can’t draw the chart. The table below has the same numbers.
          </p>
        ) : null}
      </div>
    </figure>
  );
}

const colors: readonly Color[] = ['good', 'bad', 'p50', 'p95', 'line', 'text'];

function drawnOf({ buckets, step_seconds }: Activity, lines: readonly Line[]): Drawn {
  const times = buckets.map(({ at }) => Date.parse(at) / 1000 + step_seconds / 2);
  return { times, stepSeconds: step_seconds, lines };
}

/** Creates the plot inside `area` once, then only updates its data. */
function usePlot(drawn: Drawn, describeValue: (value: number) => string) {
  const area = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(null);
  const [hasPlot, setHasPlot] = useState(false);
  const [failed, setFailed] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const createPlot = useEffectEvent(async () => {
    const { makePlot } = await withSupportedLocale(() => import('./make-plot.ts'));
    if (!area.current || plot.current) return;
    plot.current = makePlot(area.current, drawn, { describeValue, onChoose: setChosen });
    setHasPlot(true);
  });
  useEffect(() => {
    createPlot().catch((error: unknown) => {
      console.info('The chart could not be drawn.', error);
      setFailed(true);
    });
    return () => {
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    if (hasPlot) plot.current?.draw(drawn);
  }, [hasPlot, drawn]);
  return { area, failed, chosen, choose: (index: number | null) => plot.current?.choose(index) };
}

/**
 * Loads a module that formats numbers in `navigator.language` while it is evaluated, as uPlot does.
 * Browsers in minimal containers report a locale that Intl rejects, such as `en-US@posix`. In that
 * case the module sees `en-US` while it loads.
 */
async function withSupportedLocale<T>(load: () => Promise<T>): Promise<T> {
  if (isSupportedLocale(navigator.language)) return load();
  Object.defineProperty(navigator, 'language', { configurable: true, value: 'en-US' });
  try {
    return await load();
  } finally {
    Reflect.deleteProperty(navigator, 'language');
  }
}

function isSupportedLocale(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
