import { readComputed } from './read-input.ts';
import type { Finding } from './signing-recipe.ts';
import {
  bodyWords,
  findRecipe,
  keyWords,
  layoutWords,
  type SignedParts,
} from './signing-recipe.ts';

/** Explains how the receiver's code arrived at `computed`. Null if nothing was pasted. */
export async function describeComputed(
  computed: string,
  secret: string,
  parts: SignedParts,
  expected: readonly string[],
): Promise<Finding | null> {
  if (computed.trim() === '') return null;
  const wrong = (words: string): Finding => ({ part: 'Your code', verdict: 'wrong', words });
  const read = readComputed(computed);
  if (read === null) {
    return wrong(
      'What your code computed is neither base64 nor hex of 32 bytes. Is it HMAC with SHA-256?',
    );
  }
  if (expected.includes(read.digest)) return sameDigest(read.form);
  const recipe = await findRecipe(secret, parts, [read.digest]);
  if (!recipe) {
    return wrong(
      'No known mistake produces this value. It was computed with a different secret or over a different body.',
    );
  }
  const { key, layout, body } = recipe;
  const words = [
    key === 'decoded' ? '' : keyWords[key],
    layout === 'id.timestamp.body' ? '' : layoutWords[layout],
    body === 'exact' ? '' : (bodyInCode[body] ?? bodyWords[body]),
  ].filter(Boolean);
  if (words.length > 0) return wrong(words.join(' '));
  return wrong(
    'Your code computes the right signature for what you pasted, so what you pasted is not what was signed. See the other findings.',
  );
}

const readRaw =
  'Your code parses the JSON and re-serializes it before it signs. Keep the raw bytes of the request and sign those.';
const bodyInCode: Partial<Record<keyof typeof bodyWords, string>> = {
  compact: readRaw,
  indented: readRaw,
  spaced: readRaw,
  ascii: readRaw,
  slashes: readRaw,
  sorted: readRaw,
  trimmed:
    'Your code trims the body before it signs. Keep the raw bytes of the request and sign those.',
};

function sameDigest(form: 'base64' | 'base64url' | 'hex'): Finding {
  if (form === 'base64') {
    const words =
      'Your code computes the right signature, so the comparison must be wrong. Split the header at spaces, remove the v1, prefix, and accept any entry that matches.';
    return { part: 'Your code', verdict: 'right', words };
  }
  const named = form === 'hex' ? 'hex' : 'base64 without padding or in its URL form';
  return {
    part: 'Your code',
    verdict: 'wrong',
    words: `The bytes are right, but they are written as ${named}. The header contains standard base64 with padding.`,
  };
}
