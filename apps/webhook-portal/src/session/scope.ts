import type { Session } from '../api/session.ts';

/** The part of the console that a session reaches. `admin` includes `webhooks`. */
export type Scope = 'webhooks' | 'admin';

/** A service that reports no scope gives every session all of the API that the portal calls. */
export function scopeOf(session: Session & { readonly scope?: Scope }): Scope {
  return session.scope ?? 'admin';
}
