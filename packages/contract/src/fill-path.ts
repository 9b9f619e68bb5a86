/**
 * Replaces each `{name}` of a route by its parameter, percent-encoded once.
 * @throws TypeError for "." and "..": URL parsers resolve them, even encoded, so the request would call another route
 */
export function fillPath(route: string, params: Readonly<Record<string, string>> = {}): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = params[name] ?? '';
    if (id === '.' || id === '..') {
      throw new TypeError(`${name} cannot be ${JSON.stringify(id)} in ${route}.`);
    }
    return encodeURIComponent(id);
  });
}
