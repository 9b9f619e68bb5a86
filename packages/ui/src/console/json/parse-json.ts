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

const maxDepth = 100;
const tokenPattern = /\s*("(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,])/y;

/** Assumes valid JSON: `JSON.parse` has already accepted the text. */
function readValue(cursor: Cursor): JsonNode | null {
  const start = readToken(cursor);
  if (start === '{' || start === '[') return readBranch(cursor, start);
  if (start.startsWith('"')) return { kind: 'string', source: start };
  return { kind: /^[-\d]/.test(start) ? 'number' : 'word', source: start };
}

function readBranch(cursor: Cursor, opening: '{' | '['): JsonNode | null {
  const from = cursor.at - 1;
  const kind = opening === '{' ? 'object' : 'array';
  const children: JsonBranch['children'] = [];
  cursor.depth += 1;
  if (cursor.depth > maxDepth) return null;
  while (!isClosing(peekToken(cursor))) {
    if (peekToken(cursor) === ',') readToken(cursor);
    const key = kind === 'object' ? String(JSON.parse(readToken(cursor))) : null;
    if (key !== null) readToken(cursor);
    const node = readValue(cursor);
    if (node === null) return null;
    children.push({ key, node });
  }
  readToken(cursor);
  cursor.depth -= 1;
  return { kind, children, source: cursor.text.slice(from, cursor.at) };
}

function isClosing(mark: string): boolean {
  return mark === '}' || mark === ']';
}

function readToken(cursor: Cursor): string {
  tokenPattern.lastIndex = cursor.at;
  const found = tokenPattern.exec(cursor.text)?.[1] ?? '';
  cursor.at = tokenPattern.lastIndex;
  return found;
}

function peekToken(cursor: Cursor): string {
  const { at } = cursor;
  const found = readToken(cursor);
  cursor.at = at;
  return found;
}
