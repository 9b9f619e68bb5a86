export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The lowest ratio that passes; null for an informational row. */
  readonly floor: number | null;
  /** The highest ratio that passes. */
  readonly ceiling?: number;
  /** Measured value ÷ baseline, the median of all rounds; null for the baseline itself. */
  readonly ratio: number | null;
  /** Lowest and highest ratio of all rounds; for a baseline, its lowest and highest value. */
  readonly spread: readonly [number, number];
}

interface BenchContext {
  /** Run measurements that take minutes and gigabytes too (`--full`). */
  readonly full: boolean;
  /** Creates an empty database on a real PostgreSQL with fsync. */
  databaseUrl(): Promise<string>;
}

export type Bench = (context: BenchContext) => Promise<Row[]>;

/** Returns two rows from interleaved rounds; each round is compared with its own baseline. */
export function compare(
  name: string,
  unit: string,
  floor: number,
  measured: readonly number[],
  baseline: readonly number[],
): Row[] {
  const ratios = measured.map((value, round) => value / (baseline[round] ?? Number.NaN));
  return [
    { name, value: median(measured), unit, floor, ratio: median(ratios), spread: range(ratios) },
    {
      name: `${name}: baseline`,
      value: median(baseline),
      unit,
      floor: null,
      ratio: null,
      spread: range(baseline),
    },
  ];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function range(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
