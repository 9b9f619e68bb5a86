import type { StoredAppearance } from '@svc/contract/appearance';

/** The partner's allowed origins, which the server writes into the page separated by spaces, or `*`. */
export function readAllowedOrigins(document: Document): string[] {
  return contentOf(document, 'svc-allowed-origins')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
}

/** Whether the page is in the sandbox, known before the session so that the first paint is marked. */
export function readsSandbox(document: Document): boolean {
  return contentOf(document, 'svc-environment') === 'sandbox';
}

/** The lender and its support address, known before the session. Null if the page names none. */
export function readLender(document: Document): Lender | null {
  const name = contentOf(document, 'svc-lender');
  if (name === '') return null;
  const address = contentOf(document, 'svc-lender-address');
  return { name, address, supportEmail: contentOf(document, 'svc-support') };
}

/** The partner's name and brand, known before the session. Null if the page has none. */
export function readPartner(document: Document): Partner | null {
  const appearance = contentOf(document, 'svc-appearance');
  if (appearance === '') return null;
  return { name: contentOf(document, 'svc-partner'), appearance: JSON.parse(appearance) };
}

export interface Partner {
  name: string;
  appearance: StoredAppearance;
}

export interface Lender {
  name: string;
  address: string;
  supportEmail: string;
}

/** Whether `allowed` contains the origin, or `*`, which the server writes only in the sandbox. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.includes('*') || allowed.includes(origin);
}

function contentOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
