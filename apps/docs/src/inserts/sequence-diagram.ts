import { escapeHtml } from '../generate/escape-html.ts';
import { arrowTip } from './arrow-tip.ts';

interface Message {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const column = 190;
const row = 48;
const box = { width: 136, height: 36 };
const top = 20;

/**
 * Draws messages between participants, one per line: `Your page → Your backend: the click`. The
 * participants are in the order in which they first appear.
 */
export function sequenceDiagram(source: string): string {
  const names: string[] = [];
  const indexOf = (name: string) => {
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  };
  const messages: Message[] = source
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, from, to, text] = /^(.+?) → (.+?): (.+)$/.exec(line) ?? [];
      if (from === undefined || to === undefined || text === undefined) {
        throw new Error(`"${line}" is not "from → to: text".`);
      }
      return { from: indexOf(from), to: indexOf(to), text };
    });
  const width = names.length * column;
  const height = top + box.height + (messages.length + 0.6) * row;
  const center = (index: number) => index * column + column / 2;
  const lifelines = names.map(
    (name, index) =>
      `<line class="lifeline" x1="${center(index)}" x2="${center(index)}" y1="${top + box.height}" y2="${height - 8}"/>` +
      `<rect x="${center(index) - box.width / 2}" y="${top}" width="${box.width}" height="${box.height}" rx="8"/>` +
      `<text class="name" x="${center(index)}" y="${top + box.height / 2 + 5}">${escapeHtml(name)}</text>`,
  );
  const tip = arrowTip();
  const arrows = messages.map(({ from, to, text }, index) => {
    const y = top + box.height + (index + 1) * row;
    const [x1, x2] = [center(from), center(to)];
    const direction = Math.sign(x2 - x1);
    return (
      `<circle class="step" cx="${x1}" cy="${y}" r="10"/><text class="step-number" x="${x1}" y="${y + 4}">${index + 1}</text>` +
      `<line class="arrow" x1="${x1 + direction * 10}" x2="${x2 - direction * 2}" y1="${y}" y2="${y}" marker-end="url(#${tip.id})"/>` +
      `<text x="${(x1 + x2) / 2}" y="${y - 9}">${escapeHtml(text)}</text>`
    );
  });
  const label = messages.map(
    ({ from, to, text }, index) => `${index + 1}. ${names[from]} to ${names[to]}: ${text}`,
  );
  return [
    `<div class="diagram" tabindex="0" role="img" aria-label="${escapeHtml(label.join('; '))}">`,
    `<svg class="sequence" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">`,
    tip.definition,
    ...lifelines,
    ...arrows,
    '</svg></div>',
  ].join('\n');
}
