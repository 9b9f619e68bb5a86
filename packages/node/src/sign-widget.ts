/**
 * Returns the widget's `signature` setting: lower-case hex of HMAC-SHA256, keyed by the API key, over
 * `pms + "+" + externalId` in UTF-8. It never expires, so you can cache it. Revoking the API key
 * invalidates it. Call this on your backend only: the API key must never reach a browser.
 *
 * @param input.externalId the tenant's id exactly as in portal_info. It is neither trimmed nor
 *   normalized, so the composed and decomposed forms of a letter identify two tenants.
 * @throws TypeError that names the field that is empty, malformed or has a stray line break.
 */
export async function signWidget(input: {
  apiKey: string;
  pms: string;
  externalId: string;
}): Promise<string> {
  requireApiKey(input.apiKey);
  requireText('pms', input.pms);
  requireText('externalId', input.externalId);
  const utf8 = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    utf8.encode(input.apiKey),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const message = utf8.encode(`${input.pms}+${input.externalId}`);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Refuses a key with a line break at its end, as read from a file: its signatures would not match. */
export function requireApiKey(apiKey: unknown): asserts apiKey is string {
  requireText('apiKey', apiKey);
  if (apiKey.trim() !== apiKey) {
    throw new TypeError('apiKey begins or ends with white space; trim it where you read it.');
  }
}

export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${name} must be a non-empty string, but is ${describe(value)}.`);
  }
  if (!value.isWellFormed()) {
    throw new TypeError(`${name} is not well-formed Unicode: it contains half a surrogate pair.`);
  }
}

function describe(value: unknown): string {
  return value === '' ? 'empty' : value === null ? 'null' : typeof value;
}
