/** Reads plain `name=value` pairs. The router's default JSON encoding would write the tenant `100` as `%22100%22`. */
export function readSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const pairs = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${pairs}`;
}

/** Drops undefined and empty values, so that a reset filter disappears from the URL. */
export function withoutEmpty(search: Readonly<Record<string, string | undefined>>): {
  [name: string]: string;
} {
  const entries = Object.entries(search).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return Object.fromEntries(entries);
}

/** Keeps only the named parameters, and only if they are not empty. */
export function pickStrings<N extends string>(
  search: Record<string, unknown>,
  ...names: N[]
): { [name in N]?: string } {
  const picked: { [name in N]?: string } = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') picked[name] = value;
  }
  return picked;
}
