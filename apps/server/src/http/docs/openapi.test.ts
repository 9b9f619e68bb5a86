import { errorCatalog, eventCatalog, eventExamples } from '@svc/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Service } from '../../context.ts';
import { routes } from '../routes.ts';
import { openApiDocument } from './openapi.ts';

type Json = Record<string, unknown>;
interface Content {
  schema: Json;
  examples?: Record<string, { value?: unknown }>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Json;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
  'x-codeSamples'?: { label: string; source: string }[];
}

const service = { environment: 'sandbox', publicOrigin: 'http://localhost:4000' } as Service;
const document = JSON.parse(JSON.stringify(openApiDocument(routes, service))) as {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Parameter>;
    examples: Record<string, { value: { error: { code: string } } }>;
  };
};
const { schemas } = document.components;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const everyOperation = [
  ...operations.map(({ operation }) => operation),
  ...Object.values(document.webhooks).map(({ post }) => post),
];

const ajv = new Ajv2020({
  strict: false,
  formats: { uri: true, date: true, 'date-time': true },
});
ajv.addSchema(document, 'document');

const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Returns the reason why a value does not match a schema of the document; null if it does. */
function mismatch(schema: Json, value: unknown): string | null {
  const located = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = compiled.get(located) ?? ajv.compile(JSON.parse(located) as Json);
  compiled.set(located, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

test('it documents what a partner may call, and nothing of ours', () => {
  expect(document.openapi).toBe('3.1.0');
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const expected = routes.filter(({ internal }) => !internal);
  expect(documented.sort()).toEqual(expected.map(({ method, path }) => `${method} ${path}`).sort());
  expect(
    Object.keys(document.paths).filter((path) => /^\/(experience|portal|widget)\//.test(path)),
  ).toEqual([]);
});

test('every operation has a verbNoun id, a heading, a description, a described tag and samples', () => {
  const lacking = everyOperation.flatMap((it) => {
    const { operationId, summary, description = '', tags } = it;
    const tag = document.tags.find(({ name }) => name === tags[0]);
    return [
      /^[a-z]+[A-Z][A-Za-z]+$/.test(operationId) ? [] : [`${operationId}: docs.id as verbNoun`],
      summary.length <= 60 && !summary.endsWith('.') ? [] : [`${operationId}: a short summary`],
      /^\S[\s\S]{10,}[.!]$/.test(description) ? [] : [`${operationId}: docs.description`],
      tag && tag.description.length > 20 ? [] : [`${operationId}: a tag with a description`],
    ].flat();
  });
  expect(lacking).toEqual([]);
  const ids = everyOperation.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const unsampled = operations.filter(
    ({ operation }) =>
      !['curl', 'Python'].every((label) =>
        operation['x-codeSamples']?.some((sample) => sample.label === label),
      ),
  );
  expect(unsampled).toEqual([]);
});

test('every field and parameter has a description, and an example or a named schema', () => {
  const lacking: string[] = [];
  const check = (at: string, description: unknown, field: Json, example?: unknown) => {
    if (typeof description !== 'string' || description.length < 5) {
      lacking.push(`${at}: a description`);
    }
    const rare = withoutExample.includes(at.split(/[. ]/).at(-1) ?? '');
    if (example === undefined && !rare && !hasExample(field)) lacking.push(`${at}: an example`);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    expect(schema.description ?? schema.oneOf, name).toBeTruthy();
    for (const [field, it] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
      const named =
        it.$ref === undefined ? undefined : schemas[String(it.$ref).split('/')[3] ?? ''];
      check(`${name}.${field}`, it.description ?? named?.description, it);
    }
  }
  for (const { path, method, operation } of operations) {
    for (const parameter of operation.parameters) {
      if (parameter.$ref !== undefined) continue;
      const { name, description, schema, example } = parameter;
      check(`${method} ${path} ${name}`, description, schema, example);
    }
  }
  expect(lacking).toEqual([]);
});

/** Fields that are rarely sent, or that take a value which only the API hands out. */
const withoutExample = ['cursor', 'failure_reason', 'secret', 'name'];

function hasExample(schema: Json): boolean {
  const { examples, enum: values, $ref, items, anyOf, oneOf } = schema;
  const choices = (anyOf ?? oneOf ?? []) as Json[];
  return (
    examples !== undefined ||
    values !== undefined ||
    $ref !== undefined ||
    schema['x-extensible-enum'] !== undefined ||
    (items !== undefined && hasExample(items as Json)) ||
    choices.some(hasExample)
  );
}

test('objects have names: no schema contains another object with fields', () => {
  const anonymous: string[] = [];
  const walk = (at: string, node: unknown, depth: number) => {
    if (typeof node !== 'object' || node === null) return;
    if (depth > 0 && 'properties' in node && typeof node.properties === 'object') {
      anonymous.push(at);
    }
    for (const [key, child] of Object.entries(node)) {
      if (key === 'examples' || key === 'default') continue;
      if (key !== 'properties') walk(`${at}/${key}`, child, depth + 1);
      else
        for (const [name, it] of Object.entries(child as Json))
          walk(`${at}.${name}`, it, depth + 1);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) walk(name, schema, 0);
  for (const { operationId, requestBody, responses } of everyOperation) {
    for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const { schema } of Object.values(content)) walk(operationId, schema ?? {}, 1);
    }
  }
  expect(anonymous).toEqual([]);
});

test('objects in requests are closed, those in responses are open', () => {
  const bodies = operations.flatMap(({ operation }) => {
    const content = operation.requestBody?.content['application/json'];
    return content ? [content.schema] : [];
  });
  // The output of the SDK's diagnose(): a newer SDK may report more.
  const diagnosis = ['Diagnosis', 'WidgetContainer', 'DiagnosedProblem'];
  const closed = reachable(bodies).filter(
    (it) => schemas[it]?.properties && !diagnosis.includes(it),
  );
  expect(closed.filter((it) => schemas[it]?.additionalProperties !== false)).toEqual([]);
  const answers: Json[] = everyOperation.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).map((it): Json => it.schema),
    ),
  );
  const events = Object.values(document.webhooks).map(
    ({ post }): Json => post.requestBody?.content['application/json']?.schema ?? {},
  );
  const open = reachable([...answers, ...events]);
  expect(open.filter((it) => schemas[it]?.additionalProperties === false)).toEqual([]);
  expect(open.length + closed.length).toBeGreaterThan(100);
});

/** The names of all schemas that can be reached from these. */
function reachable(from: readonly Json[]): string[] {
  const found = new Set<string>();
  const visit = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  visit(from);
  return [...found];
}

test('every request body has an example', () => {
  const lacking = everyOperation.filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(
      ({ examples }) => examples?.request?.value === undefined,
    ),
  );
  expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
});

test('every example matches its schema', () => {
  const wrong: string[] = [];
  const check = (at: string, schema: Json, value: unknown) => {
    const problem = mismatch(schema, value);
    if (problem !== null) wrong.push(`${at}: ${problem} in ${JSON.stringify(value)}`);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    for (const [at, it] of [[name, schema] as const, ...fields]) {
      for (const value of (it.examples ?? []) as unknown[]) check(`${name} ${at}`, it, value);
    }
  }
  let count = 0;
  for (const { operationId, parameters, requestBody, responses } of everyOperation) {
    for (const { name, schema, example } of parameters) {
      if (example !== undefined) check(`${operationId} ${name}`, schema, example);
    }
    for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const { schema, examples = {} } of Object.values(content)) {
        for (const [name, example] of Object.entries(examples)) {
          const value =
            '$ref' in example ? document.components.examples[name]?.value : example.value;
          check(`${operationId} ${name}`, schema, value);
          count += 1;
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(everyOperation.length);
});

test('every operation declares the errors that its route can cause, each with its status', () => {
  for (const { path, method, operation } of operations) {
    const codes = Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
      const names = Object.keys(content['application/json']?.examples ?? {});
      return names.filter((name) => name !== 'response').map((code) => [code, status] as const);
    });
    for (const [code, status] of codes) {
      expect(String(errorCatalog[code as keyof typeof errorCatalog].status)).toBe(status);
    }
    const declared = codes.map(([code]) => code);
    expect(declared).toEqual(expect.arrayContaining(['missing_credentials', 'rate_limited']));
    if (operation.requestBody?.content['application/json']) {
      expect(declared).toEqual(expect.arrayContaining(['invalid_json', 'validation_failed']));
    }
    // An object of the path can be missing, except where the call creates it. Keys and logged calls
    // have no code: `not_found`, which no operation declares without naming it.
    if (/\{/.test(path) && !/simulation|portal_info/.test(path)) {
      expect(`${method} ${path} ${declared}`).toMatch(/not_found/);
    }
  }
});

test('enumerations that may grow are not closed in responses', () => {
  for (const [schema, field] of [
    ['ErrorDetails', 'code'],
    ['FieldError', 'code'],
    ['AuditEntry', 'action'],
    ['SettlementMismatch', 'code'],
    ['PlanUpdatedData', 'change'],
  ] as const) {
    const fields = (schemas[schema]?.properties ?? {}) as Record<string, Json>;
    const { enum: closed, ...rest } = fields[field] ?? {};
    expect(closed, `${schema}.${field}`).toBeUndefined();
    expect(rest['x-extensible-enum'], `${schema}.${field}`).toEqual(expect.any(Array));
  }
});

test('the supported dates and amounts are published', () => {
  const body = { $ref: '#/components/schemas/PortalInfoInput' };
  const charge = { id: 'C-1', due_date: '2026-02-01', amount_in_cents: 100_000_000 };
  const tenant = { first_name: 'Ada', last_name: 'Lane', email: 'tom&jane@example.com' };
  const sent = { ...tenant, charges: [charge], lease: { id: 'L-1', ends_on: '9999-12-31' } };
  expect(mismatch(body, sent)).toBe(null);
  for (const [change, path] of [
    [{ charges: [{ ...charge, due_date: '9999-12-31' }] }, '/charges/0/due_date'],
    [{ charges: [{ ...charge, amount_in_cents: 100_000_001 }] }, '/charges/0/amount_in_cents'],
    [{ lease: { id: 'L-1', ends_on: '2999-12-31' } }, '/lease/ends_on'],
    [{ first_name: ' ' }, '/first_name'],
    [{ email: 'ada@example.com\r\nBcc: all@example.com' }, '/email'],
  ] as const) {
    expect(mismatch(body, { ...sent, ...change })).toContain(path);
  }
  expect(JSON.stringify(schemas.PortalInfoInput)).toContain('In total at most 1000000000 cents');
});

test('every operation declares each parameter of its path', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((one) => one.in === 'path' && one.required);
    expect(declared.map(({ name }) => name)).toEqual(inPath);
  }
});

test('every reference leads somewhere, and every component is used', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(0);
  const used = new Set(references.map(([, pointer]) => pointer));
  for (const pointer of used) {
    const found = pointer
      ?.split('/')
      .reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document);
    expect(found, pointer).toBeDefined();
  }
  const names = Object.keys(schemas).map((name) => `components/schemas/${name}`);
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});

test('every webhook is described, and its example fits', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventCatalog));
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const content = post.requestBody?.content['application/json'];
    const example = content?.examples?.request?.value as { data: unknown };
    expect(mismatch(content?.schema ?? {}, example)).toBe(null);
    expect(example.data).toEqual(eventExamples[type as keyof typeof eventExamples]);
  }
});

test('the fields of a body state their defaults in words, so that generators leave them optional', () => {
  const fields = Object.values(schemas).flatMap((schema) =>
    Object.values((schema.properties ?? {}) as Record<string, Json>),
  );
  expect(fields.filter((field) => 'default' in field)).toEqual([]);
  const { properties } = schemas.ChargeInput as { properties: Record<string, Json> };
  expect(properties.amount_paid_in_cents?.description).toMatch(/ Default: `0`\.$/);
});

test('values that are not known to be fields are refused in a body', () => {
  for (const { operation } of operations) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema) expect(mismatch(schema, { surprise: 1 })).toMatch(/required|additional/);
  }
});

test('patterns do without \\p{…}, which many regular expression engines lack', () => {
  const text = JSON.stringify(document);
  expect(text).toContain('"pattern":');
  expect(text.match(/"pattern":"[^"]*\\\\p[^"]*"/g)).toBe(null);
});
