import type { Row } from './rows.ts';

/** The baseline does the same work in every round. Where it spreads by more than this, other work interfered. */
const mostSpread = 1 / 3;

export type Verdict = 'within bounds' | 'out of bounds' | 'not judged';

/** The verdict on one row; null for a row without a bound. */
export function judgeRow({ ratio, floor, ceiling, bare }: Row): Verdict | null {
  if (floor === undefined && ceiling === undefined) return null;
  if (bare && bare[1] > bare[0] * (1 + mostSpread)) return 'not judged';
  // A ratio that could not be measured is NaN, which is within no bounds.
  const isWithin =
    ratio !== undefined &&
    ratio >= (floor ?? Number.NEGATIVE_INFINITY) &&
    ratio <= (ceiling ?? Number.POSITIVE_INFINITY);
  return isWithin ? 'within bounds' : 'out of bounds';
}

/**
 * Returns a line for each row that failed or could not be judged. The exit code is 1 if a row failed, 2 if none failed
 * but some could not be judged, and otherwise 0.
 */
export function judge(rows: readonly Row[]): {
  readonly lines: string[];
  readonly exitCode: number;
} {
  const verdicts = rows.map((row) => ({ row, verdict: judgeRow(row) }));
  const failed = verdicts.filter(({ verdict }) => verdict === 'out of bounds');
  const unjudged = verdicts.filter(({ verdict }) => verdict === 'not judged');
  return {
    lines: [
      ...failed.map(({ row }) => `out of bounds: ${row.name}`),
      ...unjudged.map(
        ({ row: { name, unit, bare = [] } }) =>
          `not judged: ${name}: the baseline was between ${bare.map(formatNumber).join(' and ')} ${unit}, so the machine was busy`,
      ),
    ],
    exitCode: failed.length > 0 ? 1 : unjudged.length > 0 ? 2 : 0,
  };
}

export function formatNumber(value: number): string {
  return value < 100 ? value.toFixed(2) : String(Math.round(value));
}
