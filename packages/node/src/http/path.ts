import { requireText } from '../sign-widget.ts';

/**
 * Builds a path with each id percent-encoded once. "." and ".." are refused, because URL parsers
 * resolve them, even encoded, and the request would call another route.
 */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
  return strings.reduce((joined, part, index) => {
    const id = ids[index - 1];
    requireText('id', id);
    if (id === '.' || id === '..') throw new TypeError(`The id cannot be ${JSON.stringify(id)}.`);
    return joined + encodeURIComponent(id) + part;
  });
}
