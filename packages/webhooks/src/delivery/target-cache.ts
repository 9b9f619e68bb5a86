import type { Claimed } from '../kernel/claimed.ts';
import type { Clock } from '../kernel/engine-deps.ts';
import type { Target } from './targets.ts';

/** Endpoints' settings, never older than `maxAgeMs` when an attempt starts. */
export interface TargetCache {
  /**
   * Each claim tells the settings' present version; loads what is new or too old in one query.
   * Answers at once when nothing is.
   */
  refresh(claimed: readonly Claimed[]): Promise<void> | undefined;
  /** What is known of the endpoint's throttle, without looking. */
  throttle(endpointId: string): number | null;
  /** undefined: the endpoint is gone. */
  current(endpointId: string): Target | undefined | Promise<Target | undefined>;
}

type Load = (endpointIds: readonly string[]) => Promise<Target[]>;

export function createTargetCache(load: Load, clock: Clock, maxAgeMs: number): TargetCache {
  const entries = new Map<string, { target: Target; checkedAt: number }>();
  /** Those who want the same endpoint at the same time share one look. */
  const looking = new Map<string, Promise<void>>();
  const capacity = 1_000;

  async function reload(ids: readonly string[]): Promise<void> {
    const at = clock.now().getTime();
    for (const id of ids) entries.delete(id);
    if (entries.size > capacity) entries.clear();
    for (const target of await load(ids)) entries.set(target.endpointId, { target, checkedAt: at });
  }

  function look(id: string): Promise<void> {
    const running = looking.get(id);
    if (running) return running;
    const started = reload([id]).finally(() => looking.delete(id));
    looking.set(id, started);
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
      return look(id).then(() => entries.get(id)?.target);
    },
  };
}
