/**
 * Parses JSON without changing it: numbers keep their digits, and objects keep key order and duplicate
 * keys, which `JSON.parse` loses. Returns null if the text is not JSON or nests deeper than 100 levels.
 */
export function parseJson(text: string): JsonNode | null {
  try {
    JSON.parse(text);
  } catch {
    // Not JSON: the caller shows it as text.
    return null;
  }
  const cursor: Cursor = { text, at: 0, depth: 0 };
  return readValue(cursor);
}

export type JsonNode = JsonBranch | JsonLeaf;

export interface JsonBranch {
  kind: 'object' | 'array';
  children: { key: string | null; node: JsonNode }[];
  /** The original JSON text of this node. */
  source: string;
}

interface JsonLeaf {
  kind: 'string' | 'number' | 'word';
  source: string;
}

interface Cursor {
  text: string;
  at: number;
  depth: number;
}

const deepest = 100;
const token = /\s*("(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,])/y;

/** Assumes valid JSON: `JSON.parse` has already accepted the text. */
function readValue(cursor: Cursor): JsonNode | null {
  const start = next(cursor);
  if (start === '{' || start === '[') return readBranch(cursor, start);
  if (start.startsWith('"')) return { kind: 'string', source: start };
  return { kind: /^[-\d]/.test(start) ? 'number' : 'word', source: start };
}

function readBranch(cursor: Cursor, opening: '{' | '['): JsonNode | null {
  const from = cursor.at - 1;
  const kind = opening === '{' ? 'object' : 'array';
  const children: JsonBranch['children'] = [];
  cursor.depth += 1;
  if (cursor.depth > deepest) return null;
  while (!isClosing(peek(cursor))) {
    if (peek(cursor) === ',') next(cursor);
    const key = kind === 'object' ? String(JSON.parse(next(cursor))) : null;
    if (key !== null) next(cursor);
    const node = readValue(cursor);
    if (node === null) return null;
    children.push({ key, node });
  }
  next(cursor);
  cursor.depth -= 1;
  return { kind, children, source: cursor.text.slice(from, cursor.at) };
}

function isClosing(mark: string): boolean {
  return mark === '}' || mark === ']';
}

function next(cursor: Cursor): string {
  token.lastIndex = cursor.at;
  const found = token.exec(cursor.text)?.[1] ?? '';
  cursor.at = token.lastIndex;
  return found;
}

function peek(cursor: Cursor): string {
  const { at } = cursor;
  const found = next(cursor);
  cursor.at = at;
  return found;
}
