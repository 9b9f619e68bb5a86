import type { SvcEnvironment } from '@svc/contract';
import type { Queryable } from '@svc/db';
import type { PartnerActor } from './actor.ts';
import { findKey } from './find-key.ts';
import { sha256 } from './secrets.ts';

/** How long a process may use a key it has read. Revoking a key takes effect after this time. */
export const keyKnownForMs = 1_000;
const mostKnown = 1_000;

export interface KnownKeys {
  /** Finds the partner of a live key. @throws Refusal of 401 */
  find(q: Queryable, secret: string, environment: SvcEnvironment, now: Date): Promise<PartnerActor>;
  /** Empties the cache, after a key was revoked in this process. */
  clear(): void;
}

/** Caches live keys for a second, so that the calls of a busy partner share one lookup. */
export function createKnownKeys(): KnownKeys {
  const known = new Map<string, { readonly actor: PartnerActor; readonly readAt: number }>();
  let revocations = 0;
  return {
    async find(q, secret, environment, now) {
      const hash = sha256(secret).toString('base64');
      const entry = known.get(hash);
      const age = entry ? now.getTime() - entry.readAt : -1;
      if (entry && age >= 0 && age < keyKnownForMs) return entry.actor;
      const revocationsBefore = revocations;
      const actor = await findKey(q, secret, environment, now);
      // A key that was revoked during the lookup must not be cached.
      if (revocations === revocationsBefore) {
        if (known.size >= mostKnown) known.clear();
        known.set(hash, { actor, readAt: now.getTime() });
      }
      return actor;
    },
    clear() {
      revocations += 1;
      known.clear();
    },
  };
}
