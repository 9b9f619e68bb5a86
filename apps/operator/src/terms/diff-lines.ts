export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** More would take seconds to compare. Longer texts are shown as replaced in full. */
const mostLines = 2_000;

/** The lines of two texts in order, by their longest common subsequence. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, young] = [before.split('\n'), after.split('\n')];
  if (old.length > mostLines || young.length > mostLines) {
    return [...lines('removed', old), ...lines('added', young)];
  }
  const width = young.length + 1;
  // common[i * width + j]: how many lines the rest of both texts from i and j on have in common.
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = young.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < young.length) {
    if (old[i] === young[j]) {
      found.push({ kind: 'same', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      found.push({ kind: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      found.push({ kind: 'added', text: young[j] ?? '' });
      j += 1;
    }
  }
  return [...found, ...lines('removed', old.slice(i)), ...lines('added', young.slice(j))];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
