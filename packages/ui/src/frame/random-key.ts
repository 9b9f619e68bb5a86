/**
 * Returns 128 random bits in base64url. Uses getRandomValues, because randomUUID is missing on plain-http
 * hosts other than localhost.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
