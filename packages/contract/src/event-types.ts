import { z } from 'zod';
import { closestNames, either } from './closest-names.ts';
import { type EventType, eventCatalog, isEventType } from './events.ts';

export const eventTypes = Object.keys(eventCatalog) as EventType[];
/** The groups of types that a subscription or a filter may name, such as `plan.*`. */
export const eventTypeGroups = [...new Set(eventTypes.map(groupOf))];
const typesAndGroups: readonly string[] = [...eventTypes, ...eventTypeGroups];

/** A type of the catalog. An unknown one is refused with the closest names. */
export const eventTypeName = z
  .string()
  .refine(isEventType, { error: ({ input }) => describeUnknown(String(input), eventTypes) })
  .meta({ enum: eventTypes });

/** A type of the catalog, or a group such as `plan.*`. An unknown one is refused with the closest names. */
export const eventTypeOrGroup = z
  .string()
  .refine((name) => typesAndGroups.includes(name), {
    error: ({ input }) => describeUnknown(String(input), typesAndGroups),
  })
  .meta({ enum: typesAndGroups });

const mostQuoted = 60;

/** Says that `name` is not an event type, and suggests similar names from `known`. */
function describeUnknown(name: string, known: readonly string[]): string {
  const quoted = name.length > mostQuoted ? `${name.slice(0, mostQuoted)}…` : name;
  const wrong = `"${quoted}" is not an event type`;
  if (name === '*' && known === typesAndGroups)
    return `${wrong}. For all types, leave this field out`;
  const closest = closestNames(name, known);
  if (closest.length > 0) return `${wrong}. Did you mean ${either(closest)}?`;
  const group = groupOf(name.toLowerCase());
  const members = known.filter((each) => groupOf(each) === group && each !== group);
  if (members.length > 0) return `${wrong}. ${group} has ${members.join(', ')}`;
  return `${wrong}. The groups are ${eventTypeGroups.join(', ')}; see GET /webhooks/event_types`;
}

function groupOf(type: string): string {
  return `${type.split('.', 1)[0]}.*`;
}
