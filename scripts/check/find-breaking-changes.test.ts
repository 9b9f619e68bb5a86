import { expect, test } from 'vitest';
import { problemsOf } from './api-changes.ts';
import { type Document, findBreakingChanges } from './find-breaking-changes.ts';

type Json = Record<string, unknown>;

const request = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', maxLength: 10 },
    kind: { type: 'string', enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 0 },
  },
};
const response = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { type: 'string', enum: ['open', 'closed'] },
    reason: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    code: { type: 'string', 'x-extensible-enum': ['x'] },
    items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
  },
};
const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };

interface Parts {
  request?: Json;
  response?: Json;
  item?: Json;
  operation?: Json;
  parameters?: Json[];
  event?: Json;
}

function documentOf(parts: Parts = {}): Document {
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const operation = {
    operationId: 'createThing',
    parameters: parts.parameters ?? [{ name: 'q', in: 'query', schema: { type: 'string' } }],
    requestBody: { required: true, ...json(parts.request ?? request) },
    responses: { 200: json({ $ref: '#/components/schemas/Thing' }) },
    ...parts.operation,
  };
  const event = { operationId: 'onThing', requestBody: json(parts.event ?? item), responses: {} };
  return {
    paths: { '/things': { post: operation } },
    webhooks: { 'thing.created': { post: event } },
    components: { schemas: { Thing: parts.response ?? response, Item: parts.item ?? item } },
  } as unknown as Document;
}

function changed(schema: typeof request | typeof response, name: string, to: Json | undefined) {
  const { [name]: _, ...rest } = schema.properties as Record<string, Json>;
  return { ...schema, properties: to === undefined ? rest : { ...rest, [name]: to } };
}

const at = 'POST /things';

test.each<[string, Parts, string[]]>([
  ['nothing', {}, []],
  [
    'a new optional field of a request',
    { request: changed(request, 'note', { type: 'string' }) },
    [],
  ],
  ['a new field of a response', { response: changed(response, 'note', { type: 'string' }) }, []],
  ['a wider request', { request: changed(request, 'count', { type: 'number' }) }, []],
  [
    'a value more in a request',
    { request: changed(request, 'kind', { type: 'string', enum: ['a', 'b', 'c'] }) },
    [],
  ],
  [
    'a value less in a response',
    { response: changed(response, 'state', { type: 'string', enum: ['open'] }) },
    [],
  ],
  [
    'a value more in an extensible list',
    { response: changed(response, 'code', { type: 'string', 'x-extensible-enum': ['x', 'y'] }) },
    [],
  ],
  [
    'no null any more in a response',
    { response: changed(response, 'reason', { type: 'string' }) },
    [],
  ],
  [
    'a field of a request that is gone',
    { request: changed(request, 'kind', undefined) },
    [`${at} request.kind: the field is gone`],
  ],
  [
    'a field of a request that is required now',
    { request: { ...request, required: ['id', 'kind'] } },
    [`${at} request.kind: is now required`],
  ],
  [
    'a new required field of a request',
    {
      request: {
        ...changed(request, 'note', { type: 'string' }),
        required: ['id', 'note'],
      },
    },
    [`${at} request.note: is new and required`],
  ],
  [
    'a value less in a request',
    { request: changed(request, 'kind', { type: 'string', enum: ['a'] }) },
    [`${at} request.kind: no longer accepts "b"`],
  ],
  [
    'a tighter limit',
    { request: changed(request, 'id', { type: 'string', maxLength: 5 }) },
    [`${at} request.id: maxLength changed`],
  ],
  [
    'another type in a request',
    { request: changed(request, 'count', { type: 'string' }) },
    [`${at} request.count: no longer accepts integer`],
  ],
  [
    'a field of a response that is gone',
    { response: changed(response, 'reason', undefined) },
    [`${at} 200.reason: the field is gone`],
  ],
  [
    'a field of a response that may be missing',
    { response: { ...response, required: ['id'] } },
    [`${at} 200.state: may be missing now`],
  ],
  [
    'a value more in a closed list of a response',
    { response: changed(response, 'state', { type: 'string', enum: ['open', 'closed', 'new'] }) },
    [`${at} 200.state: can now be "new"`],
  ],
  [
    'null in a response',
    { response: changed(response, 'id', { anyOf: [{ type: 'string' }, { type: 'null' }] }) },
    [`${at} 200.id: can now be null`],
  ],
  [
    'another type behind a reference',
    { item: { ...item, properties: { n: { type: 'number' } } } },
    [`${at} 200.items[].n: can now be number`],
  ],
  [
    'another operation id',
    { operation: { operationId: 'makeThing' } },
    [`${at}: operationId createThing is now makeThing`],
  ],
  ['a parameter that is gone', { parameters: [] }, [`${at} query q: is no longer accepted`]],
  [
    'a field of an event that is gone',
    { event: { type: 'object', properties: {} } },
    ['webhook thing.created.n: the field is gone'],
  ],
])('%s', (_, parts, expected) => {
  expect(findBreakingChanges(documentOf(), documentOf(parts))).toEqual(expected);
});

test('an operation, an event and a response that are gone', () => {
  const after = documentOf({ operation: { responses: {} } });
  expect(findBreakingChanges(documentOf(), { ...after, webhooks: {} })).toEqual([
    `${at}: the response 200 is gone`,
    'webhook thing.created: the event is gone',
  ]);
  expect(findBreakingChanges(documentOf(), { ...after, paths: {} })).toContain(
    `${at}: the operation is gone`,
  );
});

test('a change is accepted by its line and an entry of the changelog, and only while it exists', () => {
  const entry = { change: 'POST *: the field is gone', changelog: 'The kind of a thing' };
  const change = `${at} request.kind: the field is gone`;
  expect(problemsOf([change], [entry], '- The kind of a thing is gone.')).toEqual([]);
  expect(problemsOf([change], [], '')).toEqual([`breaking: ${change}`]);
  expect(problemsOf([change], [entry], '')).toEqual([
    'is not in docs/changelog.md: The kind of a thing',
  ]);
  expect(problemsOf([], [entry], 'The kind of a thing')).toEqual([
    'accepts nothing any more: POST *: the field is gone',
  ]);
});
