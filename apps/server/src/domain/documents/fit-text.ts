/** A piece of text whose characters are all in one font. */
export interface TextRun {
  readonly text: string;
  /** The index of the font. */
  readonly font: number;
  /** Set if `text` is a placeholder: what a screen reader says, and what is found and copied. */
  readonly actual: string | null;
}

interface Coverage {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Characters that fonts may lack, with substitutes of the same meaning. */
const equivalents: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '–',
  '\u2015': '—',
  '\u202f': '\u00a0',
};

/** Shown in place of a character that no font has. A PDF may not show a font's own empty box (PDF/UA-1, 7.21.8). */
const placeholder = '?';

/** Long words are broken, because pdfkit takes quadratic time to wrap a word: 110 s for 20,000 letters. */
const unbroken = /\S{100}(?=\S)/gu;

/**
 * Splits a text into pieces for the first font that has their characters. A character that no font has, such as
 * an emoji, shows as a question mark, and `actual` keeps it. Control and formatting characters are dropped;
 * line breaks stay.
 */
export function fitText(text: string, fonts: readonly Coverage[]): TextRun[] {
  const runs: TextRun[] = [];
  const plain = text
    .normalize('NFC')
    .replaceAll(/[^\n\P{C}]/gu, '')
    .replaceAll(unbroken, '$&\n');
  for (const { segment } of graphemes.segment(plain)) {
    const run = fitGrapheme(segment, fonts);
    const last = runs.at(-1);
    if (last && last.font === run.font && (last.actual === null) === (run.actual === null)) {
      const actual = last.actual === null ? null : last.actual + (run.actual ?? '');
      runs[runs.length - 1] = { font: last.font, text: last.text + run.text, actual };
    } else runs.push(run);
  }
  return runs;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function fitGrapheme(grapheme: string, fonts: readonly Coverage[]): TextRun {
  const shown = equivalents[grapheme] ?? grapheme;
  if (shown === '\n') return { text: shown, font: 0, actual: null };
  const points = Array.from(shown, (character) => character.codePointAt(0) ?? 0);
  const font = fonts.findIndex((it) => points.every((point) => it.hasGlyphForCodePoint(point)));
  return font === -1
    ? { text: placeholder, font: 0, actual: grapheme }
    : { text: shown, font, actual: null };
}
