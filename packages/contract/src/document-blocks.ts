// The layout of the agreement's text. No dependencies: the experience bundles this file.

/** A part of a document, in the order of the text. */
export type DocumentBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'terms';
      readonly terms: readonly { readonly term: string; readonly value: string }[];
    };

/**
 * Reads the layout of a plain text: empty lines separate blocks, a line in capitals is a heading,
 * lines that begin with `1. ` are a list, and lines such as `Term: value` are terms. Everything else
 * is a paragraph, so any text stays readable, such as an agreement of an earlier version. Joining a term and
 * its value by `: ` gives the line again.
 */
export function documentBlocks(text: string): DocumentBlock[] {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => blockOf(block.split('\n').filter((line) => line !== '')));
}

function blockOf(lines: readonly string[]): DocumentBlock {
  const [first = ''] = lines;
  if (lines.length === 1 && isHeading(first)) return { kind: 'heading', text: first };
  if (lines.every((line) => /^\s*\d+\. /.test(line))) {
    return { kind: 'list', items: lines.map((line) => line.replace(/^\s*\d+\. /, '')) };
  }
  const terms = lines.map((line) => /^([^:]+): (.+)$/.exec(line));
  if (lines.length > 1 && terms.every((match) => match !== null)) {
    return {
      kind: 'terms',
      terms: terms.map((match) => ({ term: match?.[1] ?? '', value: match?.[2] ?? '' })),
    };
  }
  return { kind: 'paragraph', text: lines.join('\n') };
}

function isHeading(line: string): boolean {
  return line.length > 2 && line === line.toUpperCase() && line !== line.toLowerCase();
}
