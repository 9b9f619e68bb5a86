import { judgeRow, type Verdict } from './judge.ts';
import type { Row } from './rows.ts';

const width = 860;
const left = 400;
const line = 34;
const widest = width - left - 120;
const colors: Record<Verdict, string> = {
  'within bounds': '#2e7d5b',
  'out of bounds': '#b3423a',
  'not judged': '#8a8a8a',
};

/** Draws the ratios as an SVG: one bar each, with a mark at its floor or ceiling. */
export function drawRows(rows: readonly Row[]): string {
  const shown = rows.filter(({ ratio }) => ratio !== undefined);
  const height = shown.length * line + 40;
  const parts = shown.map((row, index) => bar(row, 20 + index * line));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

/** The bound of the ratio as text; empty if there is none. */
export function boundOf({ floor, ceiling }: Row): string {
  if (ceiling !== undefined) return `≤ ${ceiling}`;
  return floor === undefined ? '' : `≥ ${floor}`;
}

function bar(row: Row, top: number): string {
  const ratio = row.ratio ?? 0;
  const bound = row.ceiling ?? row.floor;
  // Each bar has its own scale; what matters is its end relative to its mark.
  const scale = widest / Math.max(ratio, (bound ?? 0) * 1.25, 1);
  const mark = bound === undefined ? '' : markAt(left + bound * scale, top);
  return `<text x="${left - 10}" y="${top + 16}" text-anchor="end" fill="#222">${escaped(row.name)}</text>
<rect x="${left}" y="${top + 2}" width="${(ratio * scale).toFixed(1)}" height="20" rx="3" fill="${colors[judgeRow(row) ?? 'within bounds']}"/>
${mark}<text x="${width - 10}" y="${top + 16}" text-anchor="end" fill="#222">${ratio.toFixed(2)}  (${boundOf(row) || 'no bound'})</text>`;
}

function markAt(x: number, top: number): string {
  return `<path d="M${x.toFixed(1)} ${top - 2}v28" stroke="#222" stroke-width="2"/>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
