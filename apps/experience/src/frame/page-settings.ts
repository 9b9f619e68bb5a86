import type { StoredAppearance } from '@svc/contract/appearance';
import { contentOf, readStoredAppearance } from '@svc/ui/frame/page-settings.ts';

/** Returns whether the page is in the sandbox. Known before the session, so that the first paint is marked. */
export function isSandboxPage(document: Document): boolean {
  return contentOf(document, 'svc-environment') === 'sandbox';
}

/** Reads the lender and its support address, known before the session. Null if the page names none. */
export function readLender(document: Document): Lender | null {
  const name = contentOf(document, 'svc-lender');
  if (name === '') return null;
  const address = contentOf(document, 'svc-lender-address');
  return { name, address, supportEmail: contentOf(document, 'svc-support') };
}

/** Reads the partner's name and brand, known before the session. Null if the page has none. */
export function readPartner(document: Document): Partner | null {
  const appearance = readStoredAppearance(document);
  return appearance && { name: contentOf(document, 'svc-partner'), appearance };
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
