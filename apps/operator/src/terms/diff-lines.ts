export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The most lines to compare. More would take seconds, so longer texts are shown as replaced in full. */
const mostLines = 2_000;

/** Compares two texts line by line, by their longest common subsequence. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
  if (oldLines.length > mostLines || newLines.length > mostLines) {
    return [...lines('removed', oldLines), ...lines('added', newLines)];
  }
  const width = newLines.length + 1;
  // common[i * width + j] is how many lines the texts have in common, from line i of the old and line j of the new.
  const common = new Uint16Array((oldLines.length + 1) * width);
  const commonAt = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = oldLines.length - 1; i >= 0; i -= 1) {
    for (let j = newLines.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        oldLines[i] === newLines[j]
          ? commonAt(i + 1, j + 1) + 1
          : Math.max(commonAt(i + 1, j), commonAt(i, j + 1));
    }
  }
  const diff: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length && j < newLines.length) {
    if (oldLines[i] === newLines[j]) {
      diff.push({ kind: 'same', text: oldLines[i] ?? '' });
      i += 1;
      j += 1;
    } else if (commonAt(i + 1, j) >= commonAt(i, j + 1)) {
      diff.push({ kind: 'removed', text: oldLines[i] ?? '' });
      i += 1;
    } else {
      diff.push({ kind: 'added', text: newLines[j] ?? '' });
      j += 1;
    }
  }
  return [...diff, ...lines('removed', oldLines.slice(i)), ...lines('added', newLines.slice(j))];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
