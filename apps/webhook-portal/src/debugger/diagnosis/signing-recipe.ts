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
