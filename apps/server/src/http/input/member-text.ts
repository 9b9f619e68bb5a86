/**
 * Returns the source text of one member of a JSON object, exactly as its sender wrote it. `JSON.parse` rounds
 * large numbers, rewrites `1.0` as `1`, reorders numeric keys and drops duplicate ones; this does not.
 * If `name` appears more than once, the last one counts, as it does for `JSON.parse`.
 * @param json a valid JSON object: what `JSON.parse` has accepted
 */
export function memberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (json[at] === '"') {
    const keyEnd = stringEnd(json, at);
    const start = skipSpace(json, skipSpace(json, keyEnd) + ':'.length);
    const end = valueEnd(json, start);
    if (JSON.parse(json.slice(at, keyEnd)) === name) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\n\r'.includes(json.charAt(at))) at += 1;
  return at;
}

function stringEnd(json: string, from: number): number {
  let at = from + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Counts brackets instead of recursing, so that depth costs no stack. */
function valueEnd(json: string, from: number): number {
  let at = from;
  let depth = 0;
  do {
    switch (json[at]) {
      case '"':
        at = stringEnd(json, at);
        break;
      case '{':
      case '[':
        depth += 1;
        at += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        at += 1;
        break;
      default:
        at = depth > 0 ? at + 1 : scalarEnd(json, at);
    }
  } while (depth > 0);
  return at;
}

/** The end of a number, true, false or null. */
function scalarEnd(json: string, from: number): number {
  let at = from;
  while (at < json.length && !',]} \t\n\r'.includes(json.charAt(at))) at += 1;
  return at;
}
