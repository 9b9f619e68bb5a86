import type { Endpoint } from '../api/endpoints.ts';

/** Returns whether a type is selected, by its name (`plan.created`) or its group (`plan.*`). */
export function isChosen(type: string, chosen: readonly string[]): boolean {
  return chosen.includes(type) || chosen.includes(wholeGroup(type));
}

/** Toggles one type. Deselecting a type of a selected group keeps the group's other types. */
export function toggleType(
  type: string,
  chosen: readonly string[],
  all: readonly string[],
): string[] {
  if (!isChosen(type, chosen)) return [...chosen, type];
  const group = wholeGroup(type);
  const others = chosen.includes(group) ? all.filter((name) => wholeGroup(name) === group) : [];
  const kept = chosen.filter((name) => name !== group && name !== type);
  return [...new Set([...kept, ...others])].filter((name) => name !== type);
}

/** Toggles whole groups. A selected group includes types that are added to it later. */
export function toggleGroup(types: readonly string[], chosen: readonly string[]): string[] {
  const groups = [...new Set(types.map(wholeGroup))];
  const others = chosen.filter((name) => !groups.includes(wholeGroup(name)));
  return groups.every((group) => chosen.includes(group)) ? others : [...others, ...groups];
}

/** Selected names that are not in the catalog. Endpoints created before names were validated may have them. */
export function unknownTypes(
  chosen: readonly string[],
  catalog: readonly { name: string }[],
): string[] {
  const known = new Set(catalog.flatMap(({ name }) => [name, wholeGroup(name)]));
  return chosen.filter((name) => !known.has(name));
}

/** Describes a subscription: "All events", "plan.created and 3 more", "plan.* on blue, green". */
export function describeTypes(
  chosen: readonly string[] | null,
  channels: readonly string[] | null,
): string {
  const on = channels === null ? '' : ` on ${channels.join(', ')}`;
  if (chosen === null) return `All events${on}`;
  const [first = 'None', ...rest] = chosen;
  if (rest.length === 0) return `${first}${on}`;
  const words = rest.length === 1 ? `, ${rest[0]}` : ` and ${rest.length} more`;
  return `${first}${words}${on}`;
}

function wholeGroup(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** Returns whether the endpoint receives a message of this type published to these channels. Mirrors the service. */
export function isSubscribed(
  { event_types, channels }: Pick<Endpoint, 'event_types' | 'channels'>,
  type: string,
  published: readonly string[],
): boolean {
  if (event_types !== null && !isChosen(type, event_types)) return false;
  return channels === null || channels.some((channel) => published.includes(channel));
}
