import type { ProductVariant } from '@svc/contract';
/** Who calls, as the credentials say. Each route names the kinds it takes. */
export type Actor = PartnerActor | TenantActor | AnyoneActor | SystemActor;

/** A partner's backend by API key, or a person of theirs in the webhook portal. */
export interface PartnerActor {
  readonly kind: 'partner';
  readonly partnerId: string;
  readonly pms: string;
  readonly via: 'key' | 'portal';
  /** The key's or the portal session's id. */
  readonly credentialId: string;
  readonly readOnly: boolean;
  readonly expiresAt: Date | null;
}

/** A tenant inside the experience. */
export interface TenantActor {
  readonly kind: 'tenant';
  readonly partnerId: string;
  readonly pms: string;
  readonly tenantId: string;
  readonly productVariant: ProductVariant;
  readonly sessionId: string;
  /**
   * `look`: the session began with a link in a mail, and nobody has yet shown more than access to
   * the mailbox. It reads with the account's digits hidden, and changes nothing.
   */
  readonly access: 'full' | 'look';
}

/** No credentials of the request itself; the body may carry some. */
export interface AnyoneActor {
  readonly kind: 'anyone';
}

/** The service's own jobs and commands. */
export interface SystemActor {
  readonly kind: 'system';
}
