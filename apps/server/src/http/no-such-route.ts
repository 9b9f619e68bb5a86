import { Refusal } from '../domain/refusal.ts';
import type { Route } from './route.ts';

const longestShown = 200;

/**
 * Refuses a request that no route takes. Its message names the method and the path, and the path of the
 * API that was probably meant, because a base URL with `/v1` is needed in some places and not in others.
 */
export function noSuchRoute(
  routes: readonly Route[],
  { method, url }: { readonly method: string; readonly url: string },
): Refusal {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const shown = path.length > longestShown ? `${path.slice(0, longestShown)}…` : path;
  const suggestedPath = path.startsWith('/v1/v1/') ? path.slice('/v1'.length) : `/v1${path}`;
  const advice =
    path.length <= longestShown && routes.some((row) => matches(row.path, suggestedPath))
      ? `Did you mean ${method} ${suggestedPath}?`
      : 'Check the path: /docs/api lists the calls of the API.';
  return new Refusal('not_found', { message: `There is no ${method} ${shown}. ${advice}` });
}

function matches(template: string, path: string): boolean {
  const expected = `/v1${template}`.split('/');
  const given = path.split('/');
  return (
    expected.length === given.length &&
    expected.every((part, index) => part === given[index] || (part.startsWith('{') && given[index]))
  );
}
