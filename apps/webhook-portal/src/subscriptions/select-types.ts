import type { Endpoint } from '../api/endpoints.ts';

/** `plan.created` is chosen by its name or by its group `plan.*`. */
export function isChosen(type: string, chosen: readonly string[]): boolean {
  return chosen.includes(type) || chosen.includes(wholeGroup(type));
}

/** Ticks or unticks one type; unticking one of a whole group leaves the others of the group. */
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

/** Ticks whole groups, so that types added to them later count too; unticks when all are. */
export function toggleGroup(types: readonly string[], chosen: readonly string[]): string[] {
  const groups = [...new Set(types.map(wholeGroup))];
  const others = chosen.filter((name) => !groups.includes(wholeGroup(name)));
  return groups.every((group) => chosen.includes(group)) ? others : [...others, ...groups];
}

/** Chosen names that the catalog doesn't have: endpoints made before names were checked keep theirs. */
export function unknownTypes(
  chosen: readonly string[],
  catalog: readonly { name: string }[],
): string[] {
  const known = new Set(catalog.flatMap(({ name }) => [name, wholeGroup(name)]));
  return chosen.filter((name) => !known.has(name));
}

/** "All events", "plan.*", "plan.created and 3 more", "plan.* on blue, green". */
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

/** Whether a message of this type on these channels goes to the endpoint, as the service decides. */
export function isSubscribed(
  { event_types, channels }: Pick<Endpoint, 'event_types' | 'channels'>,
  type: string,
  published: readonly string[],
): boolean {
  if (event_types !== null && !isChosen(type, event_types)) return false;
  return channels === null || channels.some((channel) => published.includes(channel));
}
