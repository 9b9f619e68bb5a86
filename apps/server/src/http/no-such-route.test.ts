import { expect, test } from 'vitest';
import { noSuchRoute } from './no-such-route.ts';
import { routes } from './routes.ts';

test.each([
  [
    'GET',
    '/settlements?limit=1',
    'There is no GET /settlements. Did you mean GET /v1/settlements?',
  ],
  [
    'POST',
    '/tenant/portal_info/t-1',
    'There is no POST /tenant/portal_info/t-1. Did you mean POST /v1/tenant/portal_info/t-1?',
  ],
  [
    'GET',
    '/v1/v1/settlements',
    'There is no GET /v1/v1/settlements. Did you mean GET /v1/settlements?',
  ],
  [
    'GET',
    '/v1/setlements',
    'There is no GET /v1/setlements. Check the path: /docs/api lists the calls of the API.',
  ],
  [
    'GET',
    `/${'a'.repeat(5_000)}`,
    `There is no GET /${'a'.repeat(199)}…. Check the path: /docs/api lists the calls of the API.`,
  ],
])('%s %s is answered with what it probably meant', (method, url, message) => {
  expect(noSuchRoute(routes, { method, url })).toMatchObject({ code: 'not_found', message });
});
