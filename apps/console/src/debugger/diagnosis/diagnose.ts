import { describeSpan } from '@svc/ui/console/time/format-time.ts';
import { bodyForms } from './body-forms.ts';
import { hmacSha256, toHex } from './bytes.ts';
import { describeComputed } from './describe-computed.ts';
import { readHeaders, readSecret, readSignatureHeader } from './read-input.ts';
import type { Finding } from './signing-recipe.ts';
import {
  bodyWords,
  findRecipe,
  keyWords,
  layoutWords,
  type Recipe,
  type SignedParts,
} from './signing-recipe.ts';

export interface Evidence {
  headers: string;
  body: string;
  secret: string;
  /** The signature that the receiver's code computed, or empty. */
  computed: string;
  /** The receiver's clock when the request arrived, in milliseconds since 1970. Null if unknown. */
  arrivedAt: number | null;
  now: number;
  /** The body that the service sent with this ID, if it was looked up. */
  sent: string | null;
  others: readonly { name: string; secret: string }[];
}

/** Checks each part of a signed request and explains what is wrong with it. */
export async function diagnose(evidence: Evidence): Promise<Finding[]> {
  const headers = readHeaders(evidence.headers);
  const secret = readSecret(evidence.secret);
  const findings: Finding[] = [
    judgeHeaders(headers),
    'problem' in secret
      ? { part: 'Secret', verdict: 'wrong', words: secret.problem }
      : {
          part: 'Secret',
          verdict: 'right',
          words: `Well formed: whsec_ followed by the base64 of ${secret.key.length} bytes.`,
        },
  ];
  const { id, timestamp, signature } = headers;
  if (timestamp !== null) findings.push(judgeClock(timestamp, evidence));
  if (id === null || timestamp === null || signature === null || 'problem' in secret) {
    return findings;
  }
  const parts = { id, timestamp, body: evidence.body, sent: evidence.sent };
  const receivedSignature = readSignatureHeader(signature);
  if ('problem' in receivedSignature) {
    return [...findings, { part: 'Signature', verdict: 'wrong', words: receivedSignature.problem }];
  }
  const secretText = evidence.secret.trim();
  findings.push(...(await judgeSignature(secretText, parts, receivedSignature.digests, evidence)));
  const computed = await describeComputed(
    evidence.computed,
    secretText,
    parts,
    receivedSignature.digests,
  );
  return computed ? [...findings, computed] : findings;
}

function judgeHeaders({
  id,
  timestamp,
  signature,
  family,
}: ReturnType<typeof readHeaders>): Finding {
  const values = { id, timestamp, signature };
  const missing = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === '' ? [`${family ?? 'webhook'}-${name}`] : [],
  );
  if (missing.length === 0) {
    return {
      part: 'Headers',
      verdict: 'right',
      words: `${family}-id, -timestamp, and -signature are present.`,
    };
  }
  return {
    part: 'Headers',
    verdict: 'wrong',
    words: `Missing: ${missing.join(', ')}. Paste all headers. If your server never received them, a proxy in front of it removed them.`,
  };
}

const toleranceMs = 300_000;

function judgeClock(timestamp: string, { arrivedAt, now }: Evidence): Finding {
  if (!/^\d{1,12}$/.test(timestamp)) {
    const words = /^\d{13}$/.test(timestamp)
      ? 'The timestamp is in milliseconds. The header carries whole seconds: sign and compare it unchanged.'
      : 'The timestamp is not whole seconds since 1970. Use the header’s text unchanged.';
    return { part: 'Clock', verdict: 'wrong', words };
  }
  const age = (arrivedAt ?? now) - Number(timestamp) * 1000;
  const span = describeSpan(Math.abs(age));
  if (Math.abs(age) <= toleranceMs) {
    const words = `Signed ${span} ${age < 0 ? 'after' : 'before'} ${arrivedAt === null ? 'now' : 'it arrived'}: within the five minutes that receivers allow.`;
    return { part: 'Clock', verdict: 'right', words };
  }
  if (age < 0) {
    const words = `Signed ${span} in the future according to ${arrivedAt === null ? 'this computer’s' : 'your server’s'} clock, which is slow. Synchronize it with NTP.`;
    return { part: 'Clock', verdict: 'wrong', words };
  }
  if (arrivedAt !== null) {
    const words = `According to your server’s clock, it arrived ${span} after it was signed. Every attempt gets a new signature, so either that clock is fast or the request waited in a queue before it was verified.`;
    return { part: 'Clock', verdict: 'wrong', words };
  }
  const words = `Signed ${span} ago. That is expected for an old request, but receivers reject anything older than five minutes. Fill in when it arrived to check your clock.`;
  return { part: 'Clock', verdict: 'unknown', words };
}

async function judgeSignature(
  secret: string,
  parts: SignedParts,
  digests: readonly string[],
  evidence: Evidence,
): Promise<Finding[]> {
  const recipe = await findRecipe(secret, parts, digests);
  if (recipe) return describeRecipe(recipe, parts);
  const owner = await findOwner(parts, digests, evidence.others);
  if (owner !== null) {
    const words = `This is not the secret it was signed with. It was signed with the secret of another endpoint, ${owner}.`;
    return [{ part: 'Secret', verdict: 'wrong', words }];
  }
  return [judgeMismatch(parts, evidence.others.length > 0)];
}

function describeRecipe({ key, layout, body }: Recipe, { sent }: SignedParts): Finding[] {
  const wrong: Finding[] = [];
  if (key !== 'decoded') wrong.push({ part: 'Secret', verdict: 'wrong', words: keyWords[key] });
  if (layout !== 'id.timestamp.body') {
    wrong.push({ part: 'Signature', verdict: 'wrong', words: layoutWords[layout] });
  }
  if (body !== 'exact') wrong.push({ part: 'Body', verdict: 'wrong', words: bodyWords[body] });
  if (wrong.length > 0) return wrong;
  return [
    {
      part: 'Body',
      verdict: 'right',
      words:
        sent === null
          ? 'Matches what was signed, byte for byte.'
          : 'Matches what was sent, byte for byte.',
    },
    {
      part: 'Signature',
      verdict: 'right',
      words:
        'It matches the headers, body, and secret. If your receiver rejects this request, it verifies something else: paste the signature that your code computed.',
    },
  ];
}

/** Finds the endpoint whose secret produces the signature over any form of the body. */
async function findOwner(
  parts: SignedParts,
  digests: readonly string[],
  others: Evidence['others'],
): Promise<string | null> {
  for (const { name, secret } of others) {
    const parsed = readSecret(secret);
    if ('problem' in parsed) continue;
    for (const [body] of bodyForms(parts.body, parts.sent)) {
      const message = `${parts.id}.${parts.timestamp}.${body}`;
      if (digests.includes(toHex(await hmacSha256(parsed.key, message)))) return name;
    }
  }
  return null;
}

function judgeMismatch({ body, sent }: SignedParts, triedOthers: boolean): Finding {
  if (sent !== null) {
    const words = triedOthers
      ? 'Neither this secret nor those of your other endpoints match what was sent. The secret was rotated since, or the id, timestamp, or signature was changed in transit.'
      : 'This secret does not match the message that was sent, so it is the wrong one or was rotated since. Try the secrets of your other endpoints.';
    return { part: 'Secret', verdict: 'wrong', words };
  }
  const words =
    body === ''
      ? 'There is no body. Paste it exactly as it arrived.'
      : 'No match: either the secret is wrong, or the body was changed beyond re-serialization. Compare with the sent message to see which.';
  return { part: 'Signature', verdict: 'wrong', words };
}
