/** The entries of a subscription that match this type: the type itself, and its groups such as `plan.*`. */
export function subscriptionNames(type: string): string[] {
  const group = groupOf(type);
  return group === null ? [type] : [type, group];
}

/** The group of an event type, such as `plan.*` for `plan.created`; null for a type without a dot. */
export function groupOf(type: string): string | null {
  const end = type.lastIndexOf('.');
  return end === -1 ? null : `${type.slice(0, end)}.*`;
}
