import type { Vault } from '@svc/runtime';

interface Stored {
  readonly planId: string;
  /** `plan.agreement_sealed`. */
  readonly sealed: Buffer | null;
  /** `plan.disclosure_text`. */
  readonly text: string;
}

/**
 * The text that the tenant agreed to, whose hash is `disclosure_sha256`. For an erased tenant, the text
 * without the names of the tenant and the home.
 */
export function openAgreement(vault: Vault, { planId, sealed, text }: Stored): string {
  return sealed === null ? text : vault.open(sealed, planId);
}
