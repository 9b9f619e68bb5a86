import { requireText } from '../sign-widget.ts';

/**
 * Replaces each `{name}` by its parameter, percent-encoded once. "." and ".." are refused, because URL
 * parsers resolve them, even encoded, and the request would call another route.
 */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const id = params[name];
    requireText('id', id);
    if (id === '.' || id === '..') throw new TypeError(`The id cannot be ${JSON.stringify(id)}.`);
    return encodeURIComponent(id);
  });
}
