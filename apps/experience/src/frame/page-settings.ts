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

/** `*` stands for any, which the server writes in the sandbox only. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.includes('*') || allowed.includes(origin);
}

function contentOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
