import { type BodyForm, bodyForms } from './body-forms.ts';
import { fromBase64, hmacSha256, toHex, utf8 } from './bytes.ts';

export type KeyForm = 'decoded' | 'whole_text' | 'base64_text' | 'newline';
export type Layout = 'id.timestamp.body' | 'body' | 'timestamp.body' | 'id.body' | 'joined';

/** How a signature was made: right, or by one of the mistakes that people make. */
export interface Recipe {
  key: KeyForm;
  layout: Layout;
  body: BodyForm;
}

export interface SignedParts {
  id: string;
  timestamp: string;
  body: string;
  /** The bytes that really went out, where they are known. */
  sent: string | null;
}

/** The recipe that makes one of `signatures` (hex of the digest), the plainest first. */
export async function findRecipe(
  secret: string,
  parts: SignedParts,
  signatures: readonly string[],
): Promise<Recipe | null> {
  const wanted = new Set(signatures);
  for (const [key, bytes] of keyForms(secret)) {
    for (const [body, form] of bodyForms(parts.body, parts.sent)) {
      for (const [layout, message] of layouts(parts, body)) {
        const digest = toHex(await hmacSha256(bytes, message));
        if (wanted.has(digest)) return { key, layout, body: form };
      }
    }
  }
  return null;
}

function keyForms(secret: string): [KeyForm, Uint8Array][] {
  const encoded = secret.replace(/^whsec_/, '');
  const decoded = fromBase64(encoded);
  return [
    ...(decoded ? [['decoded', decoded] satisfies [KeyForm, Uint8Array]] : []),
    ['whole_text', utf8(secret)],
    ['base64_text', utf8(encoded)],
    ['newline', utf8(`${secret}\n`)],
  ];
}

function layouts({ id, timestamp }: SignedParts, body: string): [Layout, string][] {
  return [
    ['id.timestamp.body', `${id}.${timestamp}.${body}`],
    ['body', body],
    ['timestamp.body', `${timestamp}.${body}`],
    ['id.body', `${id}.${body}`],
    ['joined', `${id}${timestamp}${body}`],
  ];
}

const raw = 'Verify the raw bytes, before anything parses them.';

export const bodyWords: Record<Exclude<BodyForm, 'exact'>, string> = {
  sent: `This is not the body that was sent: the signature fits the sent one. Something changed it on the way. ${raw}`,
  compact: `Re-serialized: the signature fits the same JSON without spaces, so the body was parsed and written again. ${raw}`,
  indented: `Re-serialized: the signature fits the same JSON with indentation. ${raw}`,
  spaced: `Re-serialized: the signature fits the same JSON with a space after commas and colons, as Python’s json.dumps writes it. ${raw}`,
  ascii: `Re-serialized: the signature fits the same JSON with other characters than ASCII escaped. ${raw}`,
  slashes: `Re-serialized: the signature fits the same JSON with slashes escaped, as PHP’s json_encode writes it. ${raw}`,
  sorted: `Re-serialized: the signature fits the same JSON with its keys sorted. ${raw}`,
  trimmed: `There are spaces or a line break around the body that were not signed. ${raw}`,
  newline: `A line break at the end of the body was cut off. ${raw}`,
  line_ends: `The line ends of the body were changed between Unix and Windows. ${raw}`,
};

export const keyWords: Record<Exclude<KeyForm, 'decoded'>, string> = {
  whole_text:
    'Signed with the text of the secret as the key. Take off whsec_ and decode the rest from base64: those bytes are the key.',
  base64_text:
    'Signed with the base64 text as the key. It has to be decoded: the bytes are the key, not their base64.',
  newline:
    'Signed with a line break at the end of the secret. Trim it when you read it from a file, take off whsec_ and decode the rest from base64.',
};

export const layoutWords: Record<Exclude<Layout, 'id.timestamp.body'>, string> = {
  body: 'Only the body was signed. What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the body.',
  'timestamp.body':
    'The id is missing from what was signed: it is webhook-id, a dot, webhook-timestamp, a dot, and the body.',
  'id.body':
    'The timestamp is missing from what was signed: it is webhook-id, a dot, webhook-timestamp, a dot, and the body.',
  joined:
    'The dots are missing from what was signed: it is webhook-id, a dot, webhook-timestamp, a dot, and the body.',
};

export interface Finding {
  part: 'Headers' | 'Secret' | 'Clock' | 'Body' | 'Signature' | 'Your code';
  verdict: 'right' | 'wrong' | 'unknown';
  words: string;
}
