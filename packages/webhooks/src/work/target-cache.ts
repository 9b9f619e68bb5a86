import type { Claimed } from '../claim.ts';
import type { Clock } from '../engine.ts';
import type { Target } from './targets.ts';

/** Endpoints' settings, never older than `maxAgeMs` when an attempt starts. */
export interface TargetCache {
  /** Each claim tells the settings' present version; loads what is new, all in one query. */
  refresh(claimed: readonly Claimed[]): Promise<void>;
  /** undefined: the endpoint is gone. */
  current(endpointId: string): Target | undefined | Promise<Target | undefined>;
}

type Load = (endpointIds: readonly string[]) => Promise<Target[]>;

export function createTargetCache(load: Load, clock: Clock, maxAgeMs: number): TargetCache {
  const entries = new Map<string, { target: Target; checkedAt: number }>();
  const capacity = 1_000;

  async function reload(ids: readonly string[]): Promise<void> {
    const at = clock.now().getTime();
    for (const id of ids) entries.delete(id);
    if (entries.size > capacity) entries.clear();
    for (const target of await load(ids)) entries.set(target.endpointId, { target, checkedAt: at });
  }

  return {
    async refresh(claimed) {
      const versions = new Map(claimed.map(({ endpointId, version }) => [endpointId, version]));
      const stale: string[] = [];
      for (const [id, version] of versions) {
        const entry = entries.get(id);
        if (entry?.target.version === version) entry.checkedAt = clock.now().getTime();
        else stale.push(id);
      }
      if (stale.length > 0) await reload(stale);
    },
    current(id) {
      const entry = entries.get(id);
      if (entry && clock.now().getTime() - entry.checkedAt <= maxAgeMs) return entry.target;
      return reload([id]).then(() => entries.get(id)?.target);
    },
  };
}
