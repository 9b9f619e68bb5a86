import { fromBase64, toHex } from './bytes.ts';

/** The `v1` entries of a signature header as hex digests, or in a sentence why there is none. */
export function readSignatureHeader(text: string): { digests: string[] } | { problem: string } {
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  const v1 = entries.filter((entry) => entry.startsWith('v1,'));
  if (v1.length === 0) {
    return {
      problem:
        'It holds no entry of version v1, such as v1,g0hM9S…. Was only a part of the header copied?',
    };
  }
  const digests = v1.flatMap((entry) => fromDigest(fromBase64(entry.slice(3))));
  if (digests.length > 0) return { digests };
  return { problem: 'What follows v1, is not the base64 of 32 bytes: the header was cut short.' };
}

/** What someone's code computed: base64 or hex, with or without `v1,`; null when neither. */
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
