/**
 * Returns the text of each item in `data.items` of a response, exactly as the service sent it.
 * `JSON.parse` would rewrite `1.0` as `1` and round large numbers, and the forwarded event would not
 * have the bytes that an endpoint receives.
 * @param json a response that `JSON.parse` has accepted
 */
export function exactItems(json: string): string[] {
  const data = memberText(json, 'data');
  const items = data && memberText(data, 'items');
  return items === undefined ? [] : elementsOf(items);
}

/** The source text of one member of a JSON object. */
function memberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (json[at] === '"') {
    const keyEnd = stringEnd(json, at);
    const start = skipSpace(json, skipSpace(json, keyEnd) + ':'.length);
    const end = valueEnd(json, start);
    if (JSON.parse(json.slice(at, keyEnd)) === name) found = json.slice(start, end);
    at = skipComma(json, end);
  }
  return found;
}

function elementsOf(json: string): string[] {
  const elements: string[] = [];
  let at = skipSpace(json, json.indexOf('[') + 1);
  while (at < json.length && json[at] !== ']') {
    const end = valueEnd(json, at);
    elements.push(json.slice(at, end));
    at = skipComma(json, end);
  }
  return elements;
}

function skipComma(json: string, from: number): number {
  const at = skipSpace(json, from);
  return json[at] === ',' ? skipSpace(json, at + 1) : at;
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
    const character = json[at];
    if (character === '"') at = stringEnd(json, at);
    else if (character === '{' || character === '[') {
      depth += 1;
      at += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      at += 1;
    } else if (depth > 0) at += 1;
    else while (at < json.length && !',]} \t\n\r'.includes(json.charAt(at))) at += 1;
  } while (depth > 0);
  return at;
}
