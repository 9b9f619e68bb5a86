import { requireText } from '../sign-widget.ts';

/**
 * A path with each id percent-encoded once. "." and ".." are refused here because URL parsers
 * would walk the path with them, encoded or not, and call another route.
 */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
  return strings.reduce((joined, part, index) => {
    const id = ids[index - 1];
    requireText('id', id);
    if (id === '.' || id === '..') throw new TypeError(`The id cannot be ${JSON.stringify(id)}.`);
    return joined + encodeURIComponent(id) + part;
  });
}
