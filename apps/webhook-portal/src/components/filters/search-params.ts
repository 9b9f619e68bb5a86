/** Plain `name=value` pairs: the router's own way would write the tenant `100` as `%22100%22`. */
export function readSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const pairs = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${pairs}`;
}

/** Only the parameters that a page knows, and only where they say something. */
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
