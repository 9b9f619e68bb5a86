import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operatorRoutes } from './operator/routes.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

// `route()` checks each route against the contract's types. They cannot show the reverse: an entry whose
// route was removed, for which a client would still compile.

test('ApiRoutes lists exactly the routes of the service', () => {
  expect(declaredRoutes('api-routes.ts', 'ApiRoutes')).toEqual(namesOf(routes));
});

test('OperatorRoutes lists exactly the routes of the operator, except for its commands', () => {
  const listed = namesOf(operatorRoutes).filter((it) => !it.includes(' /commands/'));
  const declared = declaredRoutes('operator/routes.ts', 'OperatorRoutes');
  expect(declared).toEqual(listed);
});

function namesOf(served: readonly Route[]): string[] {
  return served.map(({ method, path }) => `${method} ${path}`).sort();
}

/** The methods and paths that the interface has as keys. */
function declaredRoutes(file: string, name: string): string[] {
  const path = new URL(`../../../../packages/contract/src/${file}`, import.meta.url);
  const source = readFileSync(path, 'utf8');
  const [, body = ''] = source.split(`export interface ${name} {\n`);
  const declared: string[] = [];
  let method = '';
  for (const line of (body.split('\n}\n')[0] ?? '').split('\n')) {
    method = /^ {2}([A-Z]+): \{$/.exec(line)?.[1] ?? method;
    const path = /^ {4}'([^']+)':/.exec(line)?.[1];
    if (path !== undefined) declared.push(`${method} ${path}`);
  }
  return declared.sort();
}
