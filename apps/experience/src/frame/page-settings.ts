/** Reads the partner's list, as the server wrote it into the page: origins by spaces, or `*`. */
export function readAllowedOrigins(document: Document): string[] {
  return contentOf(document, 'svc-allowed-origins')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
}

/** So that the sandbox is marked from the first paint on. */
export function readsSandbox(document: Document): boolean {
  return contentOf(document, 'svc-environment') === 'sandbox';
}

/** The lender and how to get help, known before there is a session. */
export function readLender(document: Document): Lender | null {
  const name = contentOf(document, 'svc-lender');
  if (name === '') return null;
  const address = contentOf(document, 'svc-lender-address');
  return { name, address, supportEmail: contentOf(document, 'svc-support') };
}

export interface Lender {
  name: string;
  address: string;
  supportEmail: string;
}

/** `*` stands for any, which the server writes in the sandbox only. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.includes('*') || allowed.includes(origin);
}

function contentOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
