import { Refusal } from '../../domain/refusal.ts';

const maxDepth = 64;
// `__proto__` as a key, with or without escaped letters.
const protoKey =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a body as UTF-8 and removes a byte order mark.
 * @throws Refusal `invalid_json`
 */
export function decodeBody(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalidJson('The body is not valid UTF-8.');
  }
}

/**
 * Parses a JSON body; an empty body is undefined.
 * @throws Refusal `invalid_json`
 */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  if (depthOf(text) > maxDepth)
    throw invalidJson(`The body is nested deeper than ${maxDepth} levels.`);
  if (mayHaveProtoKey(text) && protoKey.test(text)) {
    throw invalidJson('The body has a key "__proto__".');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
}

/** Returns whether the text has the plain key or any escape. Cheaper than the pattern, which looks at each string. */
function mayHaveProtoKey(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u');
}

/** Returns the nesting depth. It is checked before parsing, because the code that walks the parsed value recurses. */
function depthOf(text: string): number {
  let depth = 0;
  let greatest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) greatest = Math.max(greatest, ++depth);
    else if (code === 93 || code === 125) depth -= 1;
  }
  return greatest;
}

function invalidJson(message: string): Refusal {
  return new Refusal('invalid_json', { message: `${message} Send one JSON object in UTF-8.` });
}
