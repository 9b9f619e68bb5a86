import { type InstallmentState, stateColors } from '@svc/contract';

/** The picture of one payment. `next`: it comes next. `credited`: a credit left nothing to pay. */
export type Segment = 'paid' | 'processing' | 'next' | 'open' | 'late' | 'credited' | 'moved';

interface BarPart {
  readonly number: number;
  readonly state: InstallmentState;
}

/**
 * Returns the segments of a plan's bar, like those of the experience. `parts` are in the order of their dates;
 * `movedNumber` is the payment that the mail says was moved.
 */
export function segmentsOf(parts: readonly BarPart[], movedNumber: number | null): Segment[] {
  const next = parts.find(({ state }) => state !== 'paid' && state !== 'canceled');
  return parts.map((part) => {
    if (part.state !== 'scheduled') return fixedSegments[part.state];
    if (part.number === movedNumber) return 'moved';
    return part === next ? 'next' : 'open';
  });
}

const fixedSegments: Readonly<Record<Exclude<InstallmentState, 'scheduled'>, Segment>> = {
  paid: 'paid',
  processing: 'processing',
  failed: 'late',
  overdue: 'late',
  // The mail is about a plan that runs, so a credit has paid it.
  canceled: 'credited',
};

type Shape = 'full' | 'ring' | 'empty' | 'bad' | 'dashes' | 'gap';

/** A part of a segment: its shape, its share of the segment in percent, and its rounded ends. */
type Piece = readonly [shape: Shape, share: number, ends: 'both' | 'start' | 'end' | 'none'];

/** Each state has its own shape, so that none depends on its color. */
const pieces: Readonly<Record<Segment, readonly Piece[]>> = {
  paid: [['full', 100, 'both']],
  // Half full: made, but the bank has not answered.
  processing: [
    ['full', 50, 'start'],
    ['empty', 50, 'end'],
  ],
  next: [['ring', 100, 'both']],
  open: [['empty', 100, 'both']],
  // Broken: the break is narrower than the space to the next segment.
  late: [
    ['bad', 50, 'start'],
    ['gap', 0, 'none'],
    ['bad', 50, 'end'],
  ],
  credited: [['dashes', 100, 'none']],
  // Starts later than it did.
  moved: [
    ['dashes', 40, 'none'],
    ['ring', 60, 'both'],
  ],
};

const radii = { both: '5px', start: '5px 0 0 5px', end: '0 5px 5px 0', none: '0' } as const;
const empty = '#8a94a6';
const { bad } = stateColors.light;

/**
 * Returns the bar as a table of one row, because mail programs show neither SVG nor much of CSS. Programs that
 * do not know rounded corners show rectangles. It has no text: the sentence below it says the same.
 */
export function splitBarHtml(segments: readonly Segment[], accent: string): string {
  const styles: Readonly<Record<Shape, string>> = {
    full: `height:10px;background:${accent}`,
    ring: `height:6px;border:2px solid ${accent}`,
    empty: `height:8px;border:1px solid ${empty}`,
    bad: `height:10px;background:${bad}`,
    dashes: 'height:10px',
    gap: 'height:10px',
  };
  const cells = segments.map((segment) =>
    pieces[segment].map(([shape, share, ends]) => {
      const width = shape === 'gap' ? '2' : `${Math.round((share / segments.length) * 100) / 100}%`;
      const inside =
        shape === 'dashes'
          ? `<div class="bar-dashes" style="height:0;border-top:2px dashed ${empty};font-size:1px;line-height:1px">&nbsp;</div>`
          : '&nbsp;';
      return `<td class="bar-${shape}" width="${width}" style="${styles[shape]};border-radius:${radii[ends]};font-size:1px;line-height:1px">${inside}</td>`;
    }),
  );
  const space = '<td width="4" style="width:4px;font-size:1px;line-height:1px">&nbsp;</td>';
  const row = cells.map((it) => it.join('')).join(space);
  return `<table role="presentation" aria-hidden="true" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;margin:0 0 6px"><tr>${row}</tr></table>`;
}

/** The bar's colors on dark screens, for the mail's style sheet. */
export function darkBarRules(accent: string): string {
  return `  .bar-full { background: ${accent} !important; }
  .bar-ring { border-color: ${accent} !important; }
  .bar-bad { background: ${stateColors.dark.bad} !important; }`;
}
