import type { Clock } from '@svc/runtime';
import type { Claimed, EndpointRef } from '../kernel/claimed.ts';
import type { Target } from './targets.ts';

/** A cache of endpoints' settings, which are at most `maxAgeMs` old when an attempt starts. */
export interface TargetCache {
  /**
   * Loads the settings that are missing or outdated in one query; undefined if there are none. A claim
   * has read the current version of the settings, which may renew a cached entry without a query.
   */
  refresh(claimed: readonly Claimed[]): Promise<void> | undefined;
  /** The endpoint's throttle as last loaded. */
  throttle(endpoint: EndpointRef): number | null;
  /** The settings, from the cache if they are recent; undefined if the endpoint does not exist. */
  current(endpoint: EndpointRef): Target | undefined | Promise<Target | undefined>;
}

type Load = (endpoints: readonly EndpointRef[]) => Promise<Target[]>;

/** The owner is a part of the key, so that a delivery can never get the settings of another owner. */
function keyOf({ owner, endpointId }: EndpointRef): string {
  return `${owner} ${endpointId}`;
}

export function createTargetCache(load: Load, clock: Clock, maxAgeMs: number): TargetCache {
  const entries = new Map<string, { target: Target; checkedAt: number }>();
  /** Queries that are running, so that concurrent attempts to one endpoint share a query. */
  const loading = new Map<string, Promise<void>>();
  const capacity = 1_000;

  async function reload(endpoints: readonly EndpointRef[]): Promise<void> {
    // The time before the query: a change that commits during it may be missing in the result.
    const at = clock.now().getTime();
    for (const endpoint of endpoints) entries.delete(keyOf(endpoint));
    if (entries.size > capacity) entries.clear();
    for (const target of await load(endpoints)) {
      entries.set(keyOf(target), { target, checkedAt: at });
    }
  }

  function loadOne(endpoint: EndpointRef): Promise<void> {
    const key = keyOf(endpoint);
    const running = loading.get(key);
    if (running) return running;
    const started = reload([endpoint]).finally(() => loading.delete(key));
    loading.set(key, started);
    return started;
  }

  function isFresh(key: string, version: number | null): boolean {
    const entry = entries.get(key);
    const now = clock.now().getTime();
    if (version === null) return entry !== undefined && now - entry.checkedAt <= maxAgeMs;
    if (entry?.target.version !== version) return false;
    entry.checkedAt = now;
    return true;
  }

  return {
    refresh(claimed) {
      const endpoints = new Map(claimed.map((delivery) => [keyOf(delivery), delivery]));
      const stale = [...endpoints].filter(([key, { version }]) => !isFresh(key, version));
      return stale.length > 0 ? reload(stale.map(([, delivery]) => delivery)) : undefined;
    },
    throttle: (endpoint) => entries.get(keyOf(endpoint))?.target.throttlePerSecond ?? null,
    current(endpoint) {
      const key = keyOf(endpoint);
      const entry = entries.get(key);
      if (entry && isFresh(key, null)) return entry.target;
      return loadOne(endpoint).then(() => entries.get(key)?.target);
    },
  };
}
