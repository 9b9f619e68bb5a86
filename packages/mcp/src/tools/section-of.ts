/**
 * Returns the part of a page below the heading with this anchor, up to the next heading of its level; null if there
 * is none.
 */
export function sectionOf(markdown: string, anchor: string): string | null {
  const lines = markdown.split('\n');
  let inCode = false;
  let start = -1;
  let level = 0;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('```')) inCode = !inCode;
    const [, marks = '', title = ''] = inCode ? [] : (/^(#{1,6}) (.+)$/.exec(line) ?? []);
    if (marks === '') continue;
    if (start !== -1 && marks.length <= level) return lines.slice(start, at).join('\n');
    if (start === -1 && anchorOf(title) === anchor) {
      start = at;
      level = marks.length;
    }
  }
  return start === -1 ? null : lines.slice(start).join('\n');
}

/** Returns the anchor of a heading: the one in its text, or else the one by GitHub's rule. */
function anchorOf(title: string): string {
  const [, given] = /<a id="([\w.-]+)"><\/a>$/.exec(title) ?? [];
  if (given !== undefined) return given;
  return title
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
