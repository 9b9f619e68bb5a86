import type { eventTypeOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { callAll } from './client.ts';

export type CatalogEntry = (typeof eventTypeOutput)['_output'];

/** The catalogue changes with a release only, so once read it stays for the visit. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: ({ signal }) => callAll<CatalogEntry>('/webhooks/event_types', signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** By their groups, in the catalogue's own order. */
export function groupByCategory(types: readonly CatalogEntry[]): Map<string, CatalogEntry[]> {
  const groups = new Map<string, CatalogEntry[]>();
  for (const type of types) {
    const group = groups.get(type.group);
    if (group) group.push(type);
    else groups.set(type.group, [type]);
  }
  return groups;
}
