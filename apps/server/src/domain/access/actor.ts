import type { KeyScope, PortalScope, PortalView, ProductVariant } from '@svc/contract';
import type { OperatorRole } from '@svc/contract/operator';

/** The caller, as its credentials identify it. Each route names the kinds of callers that it accepts. */
export type Actor = PartnerActor | TenantActor | OperatorActor | AnyoneActor | SystemActor;

/** A partner's backend with an API key, or one of its people in the console. */
export interface PartnerActor {
  readonly kind: 'partner';
  readonly partnerId: string;
  readonly pms: string;
  readonly via: 'key' | 'portal';
  /** The key's or the console session's id. */
  readonly credentialId: string;
  readonly readOnly: boolean;
  /** Limits an API key. A console session is limited by `scope` instead. */
  readonly keyScopes: readonly KeyScope[];
  /** `admin` for an API key. A console session has the scope of its link. */
  readonly scope: PortalScope;
  /** Limits a console session in a frame to routes of one view (`Facts.views`). Null for all others. */
  readonly view: PortalView | null;
  /** Limits the view `tenant_plan` to one tenant. */
  readonly externalId: string | null;
  /** When the console session was opened and when it ends. Null for an API key. */
  readonly openedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** The caller that an API key identifies. */
export function keyActor({
  keyScopes = ['everything'],
  ...key
}: Pick<PartnerActor, 'partnerId' | 'pms' | 'credentialId'> &
  Partial<Pick<PartnerActor, 'keyScopes'>>): PartnerActor {
  return {
    kind: 'partner',
    via: 'key',
    ...key,
    keyScopes,
    readOnly: false,
    scope: 'admin',
    view: null,
    externalId: null,
    openedAt: null,
    expiresAt: null,
  };
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
   * `look`: the session began with a link in a mail, so the caller has shown access to the mailbox
   * and nothing else. It can read, with the account's digits hidden, but not change anything.
   * `view`: an operator sees what the tenant sees, and may call nothing but reads.
   */
  readonly access: 'full' | 'look' | 'view';
}

/** A person of the company that runs Svc, in the operator's console. */
export interface OperatorActor {
  readonly kind: 'operator';
  readonly operatorId: string;
  readonly name: string;
  readonly role: OperatorRole;
  /** The ids of the partners that the person is limited to; null for all of them. */
  readonly partners: readonly string[] | null;
  readonly sessionId: string;
  readonly expiresAt: Date;
  /** The session can do nothing but enroll a passkey or a password. */
  readonly isEnrolling: boolean;
  /** When the person last proved who they are, for actions that need a fresh proof. */
  readonly provenAt: Date | null;
}

/** A caller without credentials, apart from those that the request's body may carry. */
export interface AnyoneActor {
  readonly kind: 'anyone';
}

/** The service's own jobs and commands. */
interface SystemActor {
  readonly kind: 'system';
}
