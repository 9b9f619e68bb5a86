import type { eventTypeOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { callAll } from './call.ts';

export type CatalogEntry = (typeof eventTypeOutput)['_output'];

/** The event catalog. It changes only with a release, so it is loaded once per visit. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: ({ signal }) => callAll('/webhooks/event_types', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Groups event types by category, in catalog order. */
export function groupByCategory(types: readonly CatalogEntry[]): Map<string, CatalogEntry[]> {
  const groups = new Map<string, CatalogEntry[]>();
  for (const type of types) {
    const group = groups.get(type.group);
    if (group) group.push(type);
    else groups.set(type.group, [type]);
  }
  return groups;
}
