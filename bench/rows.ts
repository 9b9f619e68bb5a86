export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The lowest ratio that passes; null for a row that is only shown. */
  readonly floor: number | null;
  /** The highest ratio that passes. */
  readonly ceiling?: number;
  /** Of the measured side to the baseline, median of the rounds; null for the baseline itself. */
  readonly ratio: number | null;
  /** Lowest and highest ratio of a round, or value of a baseline. */
  readonly spread: readonly [number, number];
}

export interface BenchContext {
  /** Also what takes minutes and gigabytes: `--full`. */
  readonly full: boolean;
  /** An empty database on a real PostgreSQL with fsync on. */
  databaseUrl(): Promise<string>;
}

export type Bench = (context: BenchContext) => Promise<Row[]>;

/** Two rows from interleaved rounds: each round's measured side against its own baseline. */
export function compare(
  name: string,
  unit: string,
  floor: number,
  measured: readonly number[],
  baseline: readonly number[],
): Row[] {
  const ratios = measured.map((value, round) => value / (baseline[round] ?? Number.NaN));
  return [
    { name, value: median(measured), unit, floor, ratio: median(ratios), spread: ends(ratios) },
    {
      name: `${name}: baseline`,
      value: median(baseline),
      unit,
      floor: null,
      ratio: null,
      spread: ends(baseline),
    },
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function ends(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
