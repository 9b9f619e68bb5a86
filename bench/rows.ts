export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Measured value ÷ baseline, the median of all rounds. A baseline itself has none. */
  readonly ratio?: number;
  /** The lowest ratio that passes. */
  readonly floor?: number;
  /** The highest ratio that passes. */
  readonly ceiling?: number;
  /** Lowest and highest ratio of all rounds. For a row without a ratio, the lowest and highest value. */
  readonly spread: readonly [number, number];
  /** Lowest and highest value of the baseline. Absent where the ratio is to a constant. */
  readonly bare?: readonly [number, number];
}

interface BenchContext {
  /** Also run measurements that take minutes and gigabytes (`--full`). */
  readonly full: boolean;
  /** Creates an empty database on a real PostgreSQL with fsync. */
  databaseUrl(): Promise<string>;
}

export type Bench = (context: BenchContext) => Promise<Row[]>;

/** Returns two rows from interleaved rounds; each round is compared with its own baseline. */
export function compare(
  name: string,
  unit: string,
  bounds: Pick<Row, 'floor' | 'ceiling'>,
  measured: readonly number[],
  baseline: readonly number[],
): [measured: Row, baseline: Row] {
  const ratios = measured.map((value, round) => value / (baseline[round] ?? Number.NaN));
  const bare = range(baseline);
  return [
    {
      name,
      value: median(measured),
      unit,
      ...bounds,
      ratio: median(ratios),
      spread: range(ratios),
      bare,
    },
    { name: `${name}: baseline`, value: median(baseline), unit, spread: bare },
  ];
}

/** Returns a row without a baseline and bounds. */
export function plainRow(
  name: string,
  value: number,
  unit: string,
  spread: Row['spread'] = [value, value],
): Row {
  return { name, value, unit, spread };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function range(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
