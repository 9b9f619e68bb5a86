import { escapeHtml } from '../generate/escape-html.ts';
import { arrowTip } from './arrow-tip.ts';

type Machine = ReadonlyMap<string, readonly string[]>;

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Box {
  readonly width: number;
  readonly height: number;
}

const smallestBox: Box = { width: 112, height: 34 };
// The width of one character of the monospaced text, which is 13 px high.
const characterWidth = 8;
const gap = { x: 56, y: 34 };
const margin = 12;
// Space above the first row for the arrows that skip a column.
const top = 48;

/** Parses one state per line, such as `active → past_due, completed`. */
export function parseStates(text: string): Machine {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => {
      const [from = '', to = ''] = line.split('→').map((part) => part.trim());
      return [from, to === '' ? [] : to.split(/,\s*/)] as const;
    }),
  );
}

/** Draws the states from left to right. Arrows that skip a state bend above, arrows back bend below. */
export function stateDiagram(text: string): string {
  const machine = parseStates(text);
  const longest = Math.max(...[...machine.keys()].map(({ length }) => length));
  const box = {
    ...smallestBox,
    width: Math.max(smallestBox.width, (longest + 2) * characterWidth),
  };
  const places = placeStates(machine, box);
  const all = [...places.values()];
  const width = Math.max(...all.map(({ x }) => x)) + box.width + margin;
  const height = Math.max(...all.map(({ y }) => y)) + box.height + margin + gap.y;
  const tip = arrowTip();
  const arrows = [...machine].flatMap(([from, targets]) =>
    targets.map((to) => arrow(places.get(from), places.get(to), { box, tip: tip.id })),
  );
  const boxes = [...places].map(
    ([state, { x, y }]) =>
      `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>` +
      `<text x="${x + box.width / 2}" y="${y + box.height / 2 + 5}">${escapeHtml(state)}</text>`,
  );
  const descriptions = [...machine].map(
    ([from, targets]) => `${from}: ${targets.join(', ') || 'the end'}`,
  );
  return [
    `<div class="states" tabindex="0" role="img" aria-label="${escapeHtml(descriptions.join('; '))}">`,
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">`,
    tip.definition,
    ...arrows,
    ...boxes,
    '</svg></div>',
  ].join('\n');
}

/** Places the states. A state's column is the length of the longest path to it along arrows that lead forward. */
function placeStates(machine: Machine, box: Box): Map<string, Place> {
  const order = [...machine.keys()];
  const columns = new Map(order.map((state) => [state, 0]));
  for (const [index, state] of order.entries()) {
    for (const next of machine.get(state) ?? []) {
      const nextColumn = (columns.get(state) ?? 0) + 1;
      if (order.indexOf(next) > index)
        columns.set(next, Math.max(columns.get(next) ?? 0, nextColumn));
    }
  }
  const rows = new Map<number, number>();
  return new Map(
    [...columns].map(([state, column]) => {
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      const x = margin + column * (box.width + gap.x);
      return [state, { x, y: top + row * (box.height + gap.y) }] as const;
    }),
  );
}

function arrow(
  from: Place | undefined,
  to: Place | undefined,
  { box, tip }: { readonly box: Box; readonly tip: string },
): string {
  if (!from || !to) return '';
  const middle = box.height / 2;
  if (to.y === from.y && to.x > from.x + box.width + gap.x) {
    const [x1, x2] = [from.x + box.width * 0.6, to.x + box.width * 0.4];
    const high = from.y - (x2 - x1) / 12;
    return path(`M${x1} ${from.y}C${x1} ${high} ${x2} ${high} ${x2} ${to.y}`, tip);
  }
  if (to.x > from.x) {
    const [x1, y1, x2, y2] = [from.x + box.width, from.y + middle, to.x, to.y + middle];
    const bend = (x1 + x2) / 2;
    return path(`M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`, tip);
  }
  const [x1, y1] = [from.x + box.width / 2, from.y + box.height];
  const [x2, y2] = [to.x + box.width / 2, to.y + box.height];
  const low = Math.max(y1, y2) + gap.y - 6;
  return path(`M${x1} ${y1}C${x1} ${low} ${x2} ${low} ${x2} ${y2}`, tip);
}

function path(shape: string, tip: string): string {
  return `<path class="arrow" d="${shape}" marker-end="url(#${tip})"/>`;
}
