import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventType, eventCatalog, eventSchemaOf } from '@svc/contract';
import { expect, test } from 'vitest';
import { ROOT } from '../steps/run-command.mjs';

// A partner who handles an event learns of each new field and value from the page of events.

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
}

interface Document {
  readonly webhooks: Readonly<Record<string, { post: { requestBody: Body } }>>;
}

interface Body {
  readonly content: { 'application/json': { schema: Schema } };
}

const released: Document = JSON.parse(
  readFileSync(join(ROOT, 'apps/server/api/released.json'), 'utf8'),
);

function resolve(schema: Schema): Schema {
  const path = schema.$ref?.slice(2).split('/') ?? [];
  return path.length === 0
    ? schema
    : (path.reduce<unknown>(
        (at, name) => (at as Record<string, unknown>)[name],
        released,
      ) as Schema);
}

/** Returns the paths of all fields, and of the values that a field lists. */
function pathsOf(given: Schema, at = 'data'): string[] {
  const schema = resolve(given);
  const values = [...(schema.enum ?? []), ...(schema['x-extensible-enum'] ?? [])];
  return [
    at,
    ...values.map((value) => `${at}=${String(value)}`),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      pathsOf(field, `${at}.${name}`),
    ),
    ...(schema.items ? pathsOf(schema.items, `${at}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((choice) => pathsOf(choice, at)),
  ];
}

function releasedPaths(type: string): string[] {
  const webhook = released.webhooks[type];
  if (!webhook) return [];
  const { schema } = webhook.post.requestBody.content['application/json'];
  return pathsOf(resolve(schema).properties?.data ?? {});
}

test('the page of events lists each event that has changed since the last release', () => {
  const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
  const [, log = ''] = /## Change log\n([\s\S]*)/.exec(page) ?? [];
  const [, next = ''] = /### Next release[^\n]*\n([\s\S]*?)(?=\n### |$)/.exec(log) ?? [];
  const changed = (Object.keys(eventCatalog) as EventType[]).filter((type) => {
    const before = new Set(releasedPaths(type));
    const now = new Set(pathsOf(eventSchemaOf(type) as Schema));
    return before.size !== now.size || [...now].some((path) => !before.has(path));
  });
  expect(changed.filter((type) => !next.includes(`\`${type}\``))).toEqual([]);
});
