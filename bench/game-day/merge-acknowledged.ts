import type { Acknowledged, Traffic } from '../failover/start-traffic.ts';

/** Merges the writes that were acknowledged to callers, which must therefore be stored. */
export function mergeAcknowledged(traffics: readonly Traffic[]): Acknowledged {
  const merge = (pick: (it: Acknowledged) => Set<string>) =>
    new Set(traffics.flatMap(({ acknowledged }) => [...pick(acknowledged)]));
  return {
    tenants: merge((it) => it.tenants),
    plans: merge((it) => it.plans),
    paid: merge((it) => it.paid),
    messages: merge((it) => it.messages),
  };
}
