import type { SourceFile } from './source-files.ts';

/** A statement, or a part of one. */
export interface Statement {
  readonly line: number;
  readonly text: string;
}

/** Returns the outermost `sql` templates of a file. */
export function statementsOf({ text }: SourceFile): Statement[] {
  const found: Statement[] = [];
  for (let at = text.search(SQL); at !== -1; ) {
    const start = at + 'sql'.length;
    const end = endOfTemplate(text, start);
    found.push({ line: text.slice(0, at).split('\n').length, text: text.slice(start, end) });
    const next = text.slice(end).search(SQL);
    at = next === -1 ? -1 : end + next;
  }
  return found;
}

const SQL = /\bsql`/;

/** Returns the texts between a template's placeholders, in order. */
export function piecesOf(template: string): string[] {
  const pieces: string[] = [];
  let start = 1;
  for (let at = 1; at < template.length - 1; ) {
    if (template.startsWith('${', at)) {
      pieces.push(template.slice(start, at));
      at = endOfPlaceholder(template, at + 2);
      start = at;
    } else at += template[at] === '\\' ? 2 : 1;
  }
  return [...pieces, template.slice(start, -1)];
}

/** Returns the index after the template that begins at `start`. Its placeholders may contain templates. */
function endOfTemplate(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '`') {
    if (at >= text.length) throw new Error('A template has no end.');
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('${', at)) at = endOfPlaceholder(text, at + 2);
    else at += 1;
  }
  return at + 1;
}

function endOfPlaceholder(text: string, start: number): number {
  let at = start;
  while (text[at] !== '}') {
    if (at >= text.length) throw new Error('A placeholder has no end.');
    if (text[at] === '`') at = endOfTemplate(text, at);
    else if (text[at] === '{') at = endOfPlaceholder(text, at + 1);
    else at += 1;
  }
  return at + 1;
}
