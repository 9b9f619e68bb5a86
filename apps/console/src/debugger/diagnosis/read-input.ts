import { fromBase64, toHex } from './bytes.ts';

/** The three signature headers. Missing ones are null. */
interface SignedHeaders {
  id: string | null;
  timestamp: string | null;
  signature: string | null;
  /** The prefix of the header names. Null if none of the headers were found. */
  family: 'webhook' | 'svix' | null;
}

/** Parses pasted headers: header lines, curl options, debugger output, a JSON object, or a list of pairs. */
export function readHeaders(text: string): SignedHeaders {
  const headers = new Map(readJson(text) ?? readLines(text));
  const family = (['webhook', 'svix'] as const).find((name) =>
    parts.some((part) => headers.has(`${name}-${part}`)),
  );
  const value = (part: string) => headers.get(`${family}-${part}`) ?? null;
  return {
    id: value('id'),
    timestamp: value('timestamp'),
    signature: value('signature'),
    family: family ?? null,
  };
}

const parts = ['id', 'timestamp', 'signature'];

function readJson(text: string): [string, string][] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON; the caller parses it as header lines.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const pairs: unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): [string, string][] => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return [];
    const given: unknown = Array.isArray(pair[1]) ? pair[1].join(' ') : pair[1];
    return [[plainName(pair[0]), String(given).trim()]];
  });
}

function readLines(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const found = /^[\s<>]*(?:-H\s*)?["']?([A-Za-z][\w-]*)["']?\s*(?::|=>?)\s*(.*)$/.exec(line);
    if (!found) return [];
    const value = (found[2] ?? '').replace(/\s*\\$/, '').replace(/^["']|["'],?$|,$/g, '');
    return [[plainName(found[1] ?? ''), value.trim()]];
  });
}

/** Normalizes a header name. CGI, Rack, and PHP write `webhook-id` as `HTTP_WEBHOOK_ID`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');
}

/** Decodes a pasted signing secret, or explains what is wrong with it. */
export function readSecret(text: string): { key: Uint8Array } | { problem: string } {
  const secret = text.trim();
  if (secret === '') return { problem: 'Paste the signing secret of the endpoint.' };
  if (secret.includes('•'))
    return {
      problem: 'This is the masked secret. Use the copy button next to it.',
    };
  if (/\s/.test(secret))
    return {
      problem: 'It contains a space or a line break. It was split or joined while copying.',
    };
  if (/^["'].*["']$/.test(secret))
    return {
      problem:
        'The quotation marks are not part of the secret. Remove them here and in your configuration.',
    };
  if (/^wh(sk|pk)_/.test(secret))
    return {
      problem:
        'This is a key of the ed25519 signature. Here, paste the secret that starts with whsec_; verifyWebhook checks the other one.',
    };
  if (!secret.startsWith('whsec_'))
    return {
      problem:
        'A signing secret starts with whsec_. An API key or another service’s secret can’t verify these webhooks.',
    };
  const key = fromBase64(secret.slice('whsec_'.length));
  if (key === null)
    return { problem: 'What follows whsec_ is not base64: a character is missing or was changed.' };
  if (key.length < 16 || key.length > 64)
    return {
      problem: `What follows whsec_ decodes to ${key.length} bytes; a secret has 16 to 64. It was truncated while copying.`,
    };
  return { key };
}

/** Parses the `v1` entries of a signature header into hex digests, or explains why there are none. */
export function readSignatureHeader(text: string): { digests: string[] } | { problem: string } {
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  const v1 = entries.filter((entry) => entry.startsWith('v1,'));
  if (v1.length === 0) {
    return {
      problem: 'It has no v1 entry, such as v1,g0hM9S…. Did you copy only part of the header?',
    };
  }
  const digests = v1.flatMap((entry) => fromDigest(fromBase64(entry.slice(3))));
  if (digests.length > 0) return { digests };
  return { problem: 'What follows v1, is not the base64 of 32 bytes: the header was truncated.' };
}

/** Parses a computed signature: base64 or hex, with or without `v1,`. Null if it is neither. */
export function readComputed(
  text: string,
): { digest: string; form: 'base64' | 'hex' | 'base64url' } | null {
  const bare = text.trim().replace(/^v1[,=]/, '');
  if (/^[0-9a-f]{64}$/i.test(bare)) return { digest: bare.toLowerCase(), form: 'hex' };
  const [plain] = fromDigest(fromBase64(bare));
  if (plain) return { digest: plain, form: bare.endsWith('=') ? 'base64' : 'base64url' };
  const [url] = fromDigest(fromBase64(bare.replaceAll('-', '+').replaceAll('_', '/')));
  return url ? { digest: url, form: 'base64url' } : null;
}

function fromDigest(bytes: Uint8Array | null): string[] {
  return bytes?.length === 32 ? [toHex(bytes)] : [];
}
