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
  requestBody?: { content: { 'application/json': { schema: Json } } };
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
    const body = operation.requestBody?.content['application/json'].schema;
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
    const schema = post.requestBody?.content['application/json'].schema as {
      examples: unknown[];
    };
    const validate = ajv.compile(schema as Json);
    expect(validate(schema.examples[0])).toBe(true);
    const [example] = schema.examples as { data: unknown }[];
    expect(example?.data).toEqual(eventExamples[type as keyof typeof eventExamples]);
  }
});
