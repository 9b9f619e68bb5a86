import type { StoredAppearance } from '@svc/contract/appearance';

/** The partner's allowed origins, which the server writes into the page separated by spaces, or `*`. */
export function readAllowedOrigins(document: Document): string[] {
  return contentOf(document, 'svc-allowed-origins')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
}

/** Whether `allowed` contains the origin, or `*`, which the server writes only in the sandbox. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.includes('*') || allowed.includes(origin);
}

/** The brand that the partner stored. Null if the page has none. */
export function readStoredAppearance(document: Document): StoredAppearance | null {
  const appearance = contentOf(document, 'svc-appearance');
  return appearance === '' ? null : JSON.parse(appearance);
}

/** A setting that the server has written into the page; empty without one. */
export function contentOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
