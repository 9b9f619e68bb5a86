import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisTop, nameEnd } from './summarize-activity.ts';

/** One series of the plot: a value per bucket, or null where there is none. */
export interface Line {
  readonly color: Color;
  readonly values: readonly (number | null)[];
  readonly shape: 'bars' | 'line' | 'dashes';
}

export interface Drawn {
  /** The middle of each bucket, in seconds since 1970. */
  readonly times: readonly number[];
  readonly stepSeconds: number;
  /** Drawn in this order, so later lines cover earlier ones. */
  readonly lines: readonly Line[];
}

interface PlotOptions {
  readonly describeValue: (value: number) => string;
  /** Called with the bucket under the pointer or selected with the arrow keys. */
  readonly onChoose: (index: number | null) => void;
}

export interface Plot {
  draw(drawn: Drawn): void;
  choose(index: number | null): void;
  destroy(): void;
}

const height = 240;
// Six characters wide in every chart, so that stacked charts share a left edge.
const valueAxisWidth = 56;

/** Creates a uPlot inside `area` that follows its width and the theme's colors. */
export function makePlot(area: HTMLElement, drawn: Drawn, options: PlotOptions): Plot {
  const color = (name: Color) => () => colorOf(area.closest('.chart') ?? area, name);
  let { stepSeconds } = drawn;
  const plot = new uPlot(
    {
      width: area.clientWidth,
      height,
      padding: [12, null, null, null],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { range: (_, first, last) => [first - stepSeconds / 2, last + stepSeconds / 2] },
        y: { range: (_, _least, most) => [0, axisTop(most ?? 0)] },
      },
      axes: [timeAxis(color), valueAxis(color, options.describeValue)],
      series: [{}, ...drawn.lines.map((line) => seriesOf(line, color))],
      hooks: { setCursor: [({ cursor }) => options.onChoose(cursor.idx ?? null)] },
    },
    dataOf(drawn),
    area,
  );
  const resizeObserver = new ResizeObserver(() =>
    plot.setSize({ width: area.clientWidth, height }),
  );
  resizeObserver.observe(area);
  const stopWatching = onColorsChange(() => plot.redraw());
  return {
    draw(next) {
      stepSeconds = next.stepSeconds;
      plot.setData(dataOf(next));
    },
    choose(index) {
      const time = index === null ? undefined : plot.data[0][index];
      plot.setCursor({ left: time === undefined ? -10 : plot.valToPos(time, 'x'), top: 0 });
    },
    destroy() {
      stopWatching();
      resizeObserver.disconnect();
      plot.destroy();
    },
  };
}

type ColorOf = (name: Color) => () => string;

function seriesOf({ color: name, shape }: Line, color: ColorOf): uPlot.Series {
  if (shape === 'bars') {
    // Missing only in uPlot's smallest builds.
    const bars = uPlot.paths.bars?.({ size: [0.8, 60] });
    if (!bars) throw new Error('This build of uPlot draws no bars.');
    return { fill: color(name), width: 0, paths: bars, points: { show: false } };
  }
  return {
    stroke: color(name),
    width: 2,
    ...(shape === 'dashes' ? { dash: [5, 3] } : {}),
    points: { size: 5, fill: color(name), filter: isolatedPoints },
  };
}

/** Draws dots only for values without neighbors, because no line connects them. */
function isolatedPoints(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const has = (index: number) => (values[index] ?? null) !== null;
  return [...values.keys()].filter((index) => has(index) && !has(index - 1) && !has(index + 1));
}

function timeAxis(color: ColorOf): uPlot.Axis {
  return {
    ...axisStyle(color),
    grid: { show: false },
    space: 90,
    size: 32,
    values: ({ scales }, times) => {
      const span = (scales.x?.max ?? 0) - (scales.x?.min ?? 0);
      return times.map((time) => nameEnd(new Date(time * 1000).toISOString(), span));
    },
  };
}

function valueAxis(color: ColorOf, describe: (value: number) => string): uPlot.Axis {
  return {
    ...axisStyle(color),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    space: 50,
    size: valueAxisWidth,
    values: (_, values) => values.map((value) => describe(value)),
  };
}

function axisStyle(color: ColorOf): uPlot.Axis {
  const { fontFamily } = getComputedStyle(document.body);
  return {
    stroke: color('text'),
    font: `12px ${fontFamily}`,
    ticks: { stroke: color('line'), width: 1, size: 4 },
  };
}

function dataOf({ times, lines }: Drawn): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

/** A theme color used in charts. A canvas cannot use CSS variables, so colors are read from the page. */
export type Color = 'good' | 'bad' | 'p50' | 'p95' | 'line' | 'text';

/** Reads a color from the hidden `.chart__color--…` sample inside `figure`. */
export function colorOf(figure: Element, color: Color): string {
  const sample = figure.querySelector(`.chart__color--${color}`);
  return sample ? getComputedStyle(sample).color : 'gray';
}

/** Calls `listener` when the system theme or the selected theme changes. Returns a function that stops it. */
function onColorsChange(listener: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );
  const themeObserver = new MutationObserver(listener);
  themeObserver.observe(document.documentElement, {
    attributeFilter: ['data-theme', 'data-contrast'],
  });
  for (const query of queries) query.addEventListener('change', listener);
  return () => {
    themeObserver.disconnect();
    for (const query of queries) query.removeEventListener('change', listener);
  };
}
