import type { Vault } from '@svc/runtime';

interface SealedKey {
  readonly kind: string;
  readonly id: string;
  readonly locale: string;
  readonly revision: string;
}

/** The context that a stored document is sealed with, so that no row can take another one's place. */
export function sealContext({ kind, id, locale, revision }: SealedKey): string {
  return ['document', kind, id, locale, revision].join(' ');
}

/** The PDF of `tenant_document.content_sealed`. */
export function openDocument(
  { vault }: { readonly vault: Vault },
  sealed: Buffer,
  context: string,
): Buffer {
  return Buffer.from(vault.open(sealed, context), 'base64');
}
