import { checkSync } from 'recheck';
import type { Expression } from './find-expressions.ts';

const timeoutMs = 60_000;

/** Returns whether an expression takes linear time for every text, and the reason if it does not. */
export function analyze({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>): {
  readonly isLinear: boolean;
  readonly reason: string;
} {
  // Small counts keep the automaton small. They change nothing for long texts: 300 steps are as bounded as 3.
  const { status, ...rest } = checkSync(withSmallCounts(pattern), flags.replace('v', 'u'), {
    checker: 'automaton',
    timeout: timeoutMs,
  });
  switch (status) {
    case 'safe':
      return { isLinear: true, reason: '' };
    case 'vulnerable':
      return { isLinear: false, reason: 'takes more than linear time' };
    case 'unknown': {
      const { error } = rest as { error: { kind: string; message?: string } };
      return { isLinear: false, reason: `was not analyzed (${error.message ?? error.kind})` };
    }
  }
}

function withSmallCounts(pattern: string): string {
  return pattern.replace(
    /(?<!\\)\{(\d+)(,(\d*))?\}/g,
    (_, least: string, range: string | undefined, most: string | undefined) => {
      const from = Math.min(Number(least), 2);
      if (range === undefined) return `{${from}}`;
      return most === '' ? `{${from},}` : `{${from},${Math.max(from, Math.min(Number(most), 3))}}`;
    },
  );
}
