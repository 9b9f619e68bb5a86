import { type BodyForm, bodyForms } from './body-forms.ts';
import { fromBase64, hmacSha256, toHex, utf8 } from './bytes.ts';

type KeyForm = 'decoded' | 'whole_text' | 'base64_text' | 'newline';
export type Layout = 'id.timestamp.body' | 'body' | 'timestamp.body' | 'id.body' | 'joined';

/** The way a signature was computed: correctly, or with one of the common mistakes. */
export interface Recipe {
  key: KeyForm;
  layout: Layout;
  body: BodyForm;
}

export interface SignedParts {
  id: string;
  timestamp: string;
  body: string;
  /** The body that was actually sent, if known. */
  sent: string | null;
}

/** Finds the recipe that produces one of `signatures` (hex digests), trying the correct one first. */
export async function findRecipe(
  secret: string,
  parts: SignedParts,
  signatures: readonly string[],
): Promise<Recipe | null> {
  const expected = new Set(signatures);
  for (const [key, bytes] of keyForms(secret)) {
    for (const [body, form] of bodyForms(parts.body, parts.sent)) {
      for (const [layout, message] of layouts(parts, body)) {
        const digest = toHex(await hmacSha256(bytes, message));
        if (expected.has(digest)) return { key, layout, body: form };
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

const rawBodyAdvice = 'Verify the raw bytes, before anything parses them.';

export const bodyWords: Record<Exclude<BodyForm, 'exact'>, string> = {
  sent: `This is not the body that was sent: the signature matches the sent one. Something changed it in transit. ${rawBodyAdvice}`,
  compact: `Re-serialized: the signature matches the same JSON without spaces, so your code or framework parsed and rewrote the body. ${rawBodyAdvice}`,
  indented: `Re-serialized: the signature matches the same JSON with indentation. ${rawBodyAdvice}`,
  spaced: `Re-serialized: the signature matches the same JSON with a space after each comma and colon, as Python’s json.dumps writes it. ${rawBodyAdvice}`,
  ascii: `Re-serialized: the signature matches the same JSON with non-ASCII characters escaped. ${rawBodyAdvice}`,
  slashes: `Re-serialized: the signature matches the same JSON with slashes escaped, as PHP’s json_encode writes it. ${rawBodyAdvice}`,
  sorted: `Re-serialized: the signature matches the same JSON with its keys sorted. ${rawBodyAdvice}`,
  trimmed: `The body has spaces or a line break around it that were not signed. ${rawBodyAdvice}`,
  newline: `A line break at the end of the body was cut off. ${rawBodyAdvice}`,
  line_ends: `The line endings of the body were converted between Unix and Windows. ${rawBodyAdvice}`,
};

export const keyWords: Record<Exclude<KeyForm, 'decoded'>, string> = {
  whole_text:
    'Signed with the text of the secret as the key. Remove whsec_ and decode the rest from base64: those bytes are the key.',
  base64_text:
    'Signed with the base64 text as the key. Decode it first: the decoded bytes are the key.',
  newline:
    'Signed with a line break at the end of the secret. Trim it when you read it from a file, remove whsec_, and decode the rest from base64.',
};

export const layoutWords: Record<Exclude<Layout, 'id.timestamp.body'>, string> = {
  body: 'Only the body was signed. Sign webhook-id, a dot, webhook-timestamp, a dot, and the body.',
  'timestamp.body':
    'The id is missing from the signed content. Sign webhook-id, a dot, webhook-timestamp, a dot, and the body.',
  'id.body':
    'The timestamp is missing from the signed content. Sign webhook-id, a dot, webhook-timestamp, a dot, and the body.',
  joined:
    'The dots are missing from the signed content. Sign webhook-id, a dot, webhook-timestamp, a dot, and the body.',
};

export interface Finding {
  part: 'Headers' | 'Secret' | 'Clock' | 'Body' | 'Signature' | 'Your code';
  verdict: 'right' | 'wrong' | 'unknown';
  words: string;
}
