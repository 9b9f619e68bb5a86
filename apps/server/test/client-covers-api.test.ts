import { SvcClient } from '@svc/node';
import { expect, test } from 'vitest';
import { routes } from '../src/http/routes.ts';

// Variants of other calls: the id in the body instead of the path, and files as CSV.
const variants = [
  'POST /portal_info',
  'GET /settlements/report.csv',
  'GET /payouts/ID/statement.csv',
  'GET /webhooks/deliveries/export.csv',
];

test('the client has a method for every call of the partner API', async () => {
  const seen = new Set<string>();
  const client = new SvcClient({
    apiKey: 'svc_sandbox_test',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: async (input, init) => {
      seen.add(`${init?.method} ${new URL(String(input)).pathname.replace(/^\/v1/, '')}`);
      return Response.json({ error: null, data: { items: [], next_cursor: null } });
    },
  });
  for (const call of methodsOf(client)) {
    const answer = answerOf(call);
    await (answer instanceof Promise ? answer : firstPage(answer));
  }
  const documented = routes
    .filter(({ internal }) => !internal)
    .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, 'ID')}`);
  expect(documented.filter((one) => !seen.has(one))).toEqual(variants);
});

type Method = (id: string, bodyOrName: object | string) => unknown;

/** Calls it with an id and a body, or with two parameters of its path. */
function answerOf(call: Method): unknown {
  try {
    return call('ID', {});
  } catch {
    return call('ID', 'ID');
  }
}

/** The methods of the client and of its groups. */
function methodsOf(part: object): Method[] {
  const names = new Set([
    ...Object.keys(part),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(part)),
  ]);
  return [...names].flatMap((name) => {
    // `request` is every route, and `handler` receives calls.
    if (['constructor', 'request', 'handler'].includes(name) || name in Object.prototype) return [];
    const value: unknown = part[name as keyof typeof part];
    if (typeof value === 'function') return [value.bind(part) as Method];
    return typeof value === 'object' && value !== null ? methodsOf(value) : [];
  });
}

async function firstPage(list: unknown): Promise<void> {
  for await (const _ of list as AsyncIterable<unknown>) return;
}
