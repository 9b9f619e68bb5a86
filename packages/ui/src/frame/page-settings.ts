import type { StoredAppearance } from '@svc/contract/appearance';

/** Returns the partner's allowed origins, which the server writes into the page separated by spaces, or `*`. */
export function readAllowedOrigins(document: Document): string[] {
  return contentOf(document, 'svc-allowed-origins')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
}

/** Returns whether `allowed` contains the origin, or `*`, which the server writes only in the sandbox. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.includes('*') || allowed.includes(origin);
}

/** Returns the brand that the partner stored. Null if the page has none. */
export function readStoredAppearance(document: Document): StoredAppearance | null {
  const appearance = contentOf(document, 'svc-appearance');
  return appearance === '' ? null : JSON.parse(appearance);
}

/** Returns a setting that the server wrote into the page. Empty if the page has none. */
export function contentOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
