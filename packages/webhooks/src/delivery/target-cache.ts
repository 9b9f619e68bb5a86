import type { Claimed } from '../kernel/claimed.ts';
import type { Clock } from '../kernel/engine-deps.ts';
import type { Target } from './targets.ts';

/** A cache of endpoints' settings, which are at most `maxAgeMs` old when an attempt starts. */
export interface TargetCache {
  /**
   * Loads the settings that are missing or outdated in one query; undefined if there are none. A claim
   * has read the current version of the settings, which may renew a cached entry without a query.
   */
  refresh(claimed: readonly Claimed[]): Promise<void> | undefined;
  /** The endpoint's throttle as last loaded. */
  throttle(endpointId: string): number | null;
  /** The settings, from the cache if they are recent; undefined if the endpoint does not exist. */
  current(endpointId: string): Target | undefined | Promise<Target | undefined>;
}

type Load = (endpointIds: readonly string[]) => Promise<Target[]>;

export function createTargetCache(load: Load, clock: Clock, maxAgeMs: number): TargetCache {
  const entries = new Map<string, { target: Target; checkedAt: number }>();
  /** Queries that are running, so that concurrent attempts to one endpoint share a query. */
  const loading = new Map<string, Promise<void>>();
  const capacity = 1_000;

  async function reload(ids: readonly string[]): Promise<void> {
    // The time before the query: a change that commits during it may be missing in the result.
    const at = clock.now().getTime();
    for (const id of ids) entries.delete(id);
    if (entries.size > capacity) entries.clear();
    for (const target of await load(ids)) entries.set(target.endpointId, { target, checkedAt: at });
  }

  function loadOne(id: string): Promise<void> {
    const running = loading.get(id);
    if (running) return running;
    const started = reload([id]).finally(() => loading.delete(id));
    loading.set(id, started);
    return started;
  }

  function isFresh(id: string, version: number | null): boolean {
    const entry = entries.get(id);
    const now = clock.now().getTime();
    if (version === null) return entry !== undefined && now - entry.checkedAt <= maxAgeMs;
    if (entry?.target.version !== version) return false;
    entry.checkedAt = now;
    return true;
  }

  return {
    refresh(claimed) {
      const versions = new Map(claimed.map(({ endpointId, version }) => [endpointId, version]));
      const stale = [...versions].filter(([id, version]) => !isFresh(id, version));
      return stale.length > 0 ? reload(stale.map(([id]) => id)) : undefined;
    },
    throttle: (id) => entries.get(id)?.target.throttlePerSecond ?? null,
    current(id) {
      const entry = entries.get(id);
      if (entry && isFresh(id, null)) return entry.target;
      return loadOne(id).then(() => entries.get(id)?.target);
    },
  };
}
