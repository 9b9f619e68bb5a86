type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text) as Bytes;
}

/** Decodes base64 with or without padding. Null if the text is not base64. */
export function fromBase64(text: string): Bytes | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // No byte sequence encodes to this length.
    return null;
  }
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Computes an HMAC with WebCrypto. @throws on plain http other than localhost, where WebCrypto is missing */
export async function hmacSha256(key: Uint8Array, message: string): Promise<Bytes> {
  const imported = await crypto.subtle.importKey(
    'raw',
    key as Bytes,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8(message)));
}
