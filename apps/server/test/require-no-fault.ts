import { errorsOf } from '../src/http/docs/operation-errors.ts';
import type { Route } from '../src/http/route.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @throws if the answer is one that a caller should never get; `lines` is the log of the service */
export function requireNoFault(
  { lines }: { readonly lines: readonly string[] },
  route: Route | undefined,
  { status, text }: Answer,
): void {
  if (route && status >= 400) requireDeclared(route, text);
  if (status < 500) return;
  const cause = lines.findLast((line) => line.includes('"request failed"'));
  throw new Error(`${status} ${text}\n${cause}`);
}

/** A refusal that its operation does not declare would surprise a generated client. */
function requireDeclared(route: Route, text: string): void {
  // Broken HTTP is refused before a route is found.
  const general = ['not_found', 'malformed_request', 'headers_too_large'];
  if (route.internal) return;
  const { code } = JSON.parse(text).error;
  if ([...errorsOf(route), ...general].includes(code)) return;
  throw new Error(`${route.method} ${route.path} does not declare ${code}: add it to docs.errors`);
}
