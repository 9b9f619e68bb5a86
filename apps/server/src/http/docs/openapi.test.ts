import { eventCatalog, eventExamples } from '@svc/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Service } from '../../context.ts';
import { routes } from '../routes.ts';
import { openApiDocument } from './openapi.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: { 'application/json'?: { schema: Json } } };
  responses: Record<string, Json>;
}

const service = { environment: 'sandbox', publicOrigin: 'http://localhost:4000' } as Service;
const document = JSON.parse(JSON.stringify(openApiDocument(routes, service))) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('it documents what a partner may call, and nothing of ours', () => {
  expect(document.openapi).toBe('3.1.0');
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const expected = routes.filter(({ internal }) => !internal);
  expect(documented.sort()).toEqual(expected.map(({ method, path }) => `${method} ${path}`).sort());
  expect(
    Object.keys(document.paths).filter((path) => /experience|portal\/|widget/.test(path)),
  ).toEqual([]);
});

test('the supported dates and amounts are published', () => {
  const path = '/tenant/portal_info/{external_id}';
  const body = document.paths[path]?.post?.requestBody?.content['application/json']?.schema;
  const validate = new Ajv2020({ strict: false, formats: { uri: true, date: true } }).compile(
    body as Json,
  );
  const charge = { id: 'C-1', due_date: '2026-02-01', amount_in_cents: 100_000_000 };
  const tenant = { first_name: 'Ada', last_name: 'Lane', email: 'tom&jane@example.com' };
  const sent = { ...tenant, charges: [charge], lease: { id: 'L-1', ends_on: '9999-12-31' } };
  expect(validate(sent)).toBe(true);
  for (const [change, path] of [
    [{ charges: [{ ...charge, due_date: '9999-12-31' }] }, '/charges/0/due_date'],
    [{ charges: [{ ...charge, amount_in_cents: 100_000_001 }] }, '/charges/0/amount_in_cents'],
    [{ lease: { id: 'L-1', ends_on: '2999-12-31' } }, '/lease/ends_on'],
    [{ first_name: ' ' }, '/first_name'],
    [{ email: 'ada@example.com\r\nBcc: all@example.com' }, '/email'],
  ] as const) {
    expect(validate({ ...sent, ...change })).toBe(false);
    expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(path);
  }
  expect(JSON.stringify(body)).toContain('In total at most 1000000000 cents');
});

test('every operation has its own id, and declares each parameter of its path', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((one) => one.in === 'path' && one.required);
    expect(declared.map(({ name }) => name)).toEqual(inPath);
  }
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(0);
  for (const [, pointer = ''] of references) {
    const found = pointer
      .split('/')
      .reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document);
    expect(found).toBeDefined();
  }
});

test('every schema is JSON Schema 2020-12, and refuses unknown fields of a body', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { operation } of operations) {
    const body = operation.requestBody?.content['application/json']?.schema;
    if (!body) continue;
    const validate = ajv.compile(body);
    validate({ surprise: 1 });
    const keywords = validate.errors?.map(({ keyword }) => keyword);
    expect(keywords).toEqual(
      expect.arrayContaining([expect.stringMatching(/required|additionalProperties/)]),
    );
    expect(body.additionalProperties).toBe(false);
  }
});

test('every webhook is described, and its example fits', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventCatalog));
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const schema = post.requestBody?.content['application/json']?.schema as {
      examples: unknown[];
    };
    const validate = ajv.compile(schema as Json);
    expect(validate(schema.examples[0])).toBe(true);
    const [example] = schema.examples as { data: unknown }[];
    expect(example?.data).toEqual(eventExamples[type as keyof typeof eventExamples]);
  }
});
