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
  const wrongFinding = (words: string): Finding => ({ part: 'Your code', verdict: 'wrong', words });
  const parsed = readComputed(computed);
  if (parsed === null) {
    return wrongFinding(
      'What your code computed is neither base64 nor hex of 32 bytes. Is it HMAC with SHA-256?',
    );
  }
  if (expected.includes(parsed.digest)) return sameDigest(parsed.form);
  const recipe = await findRecipe(secret, parts, [parsed.digest]);
  if (!recipe) {
    return wrongFinding(
      'No known mistake produces this value. It was computed with a different secret or over a different body.',
    );
  }
  const { key, layout, body } = recipe;
  const words = [
    key === 'decoded' ? '' : keyWords[key],
    layout === 'id.timestamp.body' ? '' : layoutWords[layout],
    body === 'exact' ? '' : (bodyMistakesInCode[body] ?? bodyWords[body]),
  ].filter(Boolean);
  if (words.length > 0) return wrongFinding(words.join(' '));
  return wrongFinding(
    'Your code computes the right signature for what you pasted, so what you pasted is not what was signed. See the other findings.',
  );
}

const rawBodyAdvice =
  'Your code parses the JSON and re-serializes it before it signs. Keep the raw bytes of the request and sign those.';
const bodyMistakesInCode: Partial<Record<keyof typeof bodyWords, string>> = {
  compact: rawBodyAdvice,
  indented: rawBodyAdvice,
  spaced: rawBodyAdvice,
  ascii: rawBodyAdvice,
  slashes: rawBodyAdvice,
  sorted: rawBodyAdvice,
  trimmed:
    'Your code trims the body before it signs. Keep the raw bytes of the request and sign those.',
};

function sameDigest(form: 'base64' | 'base64url' | 'hex'): Finding {
  if (form === 'base64') {
    const words =
      'Your code computes the right signature, so the comparison must be wrong. Split the header at spaces, remove the v1, prefix, and accept any entry that matches.';
    return { part: 'Your code', verdict: 'right', words };
  }
  const encodingName = form === 'hex' ? 'hex' : 'base64 without padding or in its URL form';
  return {
    part: 'Your code',
    verdict: 'wrong',
    words: `The bytes are right, but they are written as ${encodingName}. The header contains standard base64 with padding.`,
  };
}
