/** The path to which the provider sends the browser back: a page of the console, below its origin. */
export const providerReturnPath = '/operator/signed-in';

/** The company's own sign-in, where the people of the console have accounts. */
export interface IdentityProvider {
  /** The host as people know it, such as `login.example.com`. */
  readonly host: string;
  /** Returns the address that the browser visits to sign in, or to sign in again. */
  visit(visit: Visit & { readonly again: boolean }): Promise<ProviderAnswer<string>>;
  /** Exchanges the query that the browser came back with for the account that signed in. */
  redeem(visit: Visit, query: string): Promise<ProviderAnswer<ProviderAccount>>;
}

/** Ties a browser's visit to the provider to the answer that it comes back with. */
export interface Visit {
  /** The address to which the provider sends the browser back. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
}

export interface ProviderAccount {
  readonly issuer: string;
  /** The provider's name for the account, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** When the person last proved to the provider who they are; null if it does not say. */
  readonly provenAt: Date | null;
}

/** `reason` is a code for the log, such as `access_denied`. It never contains the provider's own words. */
export type ProviderAnswer<T> =
  | { readonly answer: T }
  | { readonly failure: 'unavailable' | 'denied' | 'invalid'; readonly reason: string };
