import { distance } from 'fastest-levenshtein';

const mostSuggestions = 3;

/**
 * Returns known names within a few edits of `name`, closest first. Case and surrounding spaces do not count.
 * `phone` counts as one edit away from `phone_number`.
 */
export function closestNames(name: string, known: readonly string[]): string[] {
  const typed = name.slice(0, 200).trim().toLowerCase();
  // At most half of a short name may differ: with three letters, two edits turn any code into any other.
  const tolerated = Math.min(
    Math.max(2, Math.floor(typed.length / 5)),
    Math.floor(typed.length / 2),
  );
  return known
    .map((each) => ({ each, edits: editsBetween(typed, each.toLowerCase()) }))
    .filter(({ edits }) => edits <= tolerated)
    .sort((one, other) => one.edits - other.edits)
    .filter(({ edits }, _, [first]) => edits <= (first?.edits ?? 0) + 1)
    .slice(0, mostSuggestions)
    .map(({ each }) => each);
}

function editsBetween(typed: string, name: string): number {
  const isPart = name.startsWith(`${typed}_`) || name.endsWith(`_${typed}`);
  return isPart && typed !== '' ? 1 : distance(typed, name);
}

/** Joins names as `a, b or c`. */
export function either(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last;
}
