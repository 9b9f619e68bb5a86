type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Json;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, MediaType>> };
}

interface MediaType {
  readonly schema?: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

const schemaUrl = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Converts the OpenAPI document to a Postman collection, which Bruno, Insomnia and Hoppscotch import, too. Each
 * operation is a request in the folder of its tag. The reader fills in the variables: `api_key`, `external_id`,
 * and one for each kind of id, with the name of the path parameter.
 */
export function collectionOf(document: Json): Json {
  const { info, servers, paths } = document as unknown as {
    info: { title: string; description?: string };
    servers: readonly { url: string }[];
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const folders = new Map<string, Json[]>();
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = operations[method];
      if (!operation) continue;
      for (const [, id = ''] of path.matchAll(/\{(\w+)\}/g)) ids.add(id);
      const folder = operation.tags?.[0] ?? info.title;
      folders.set(folder, [
        ...(folders.get(folder) ?? []),
        requestOf(document, method, path, operation),
      ]);
    }
  }
  const variables: Record<string, string> = {
    base_url: servers[0]?.url ?? '',
    api_key: '',
    ...Object.fromEntries(Array.from(ids, (id) => [id, id === 'external_id' ? 't-100' : ''])),
  };
  return {
    info: { name: info.title, description: info.description ?? '', schema: schemaUrl },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    item: Array.from(folders, ([name, item]) => ({ name, item })),
  };
}

function requestOf(document: Json, method: string, path: string, operation: Operation): Json {
  const parameters = (operation.parameters ?? []).map((it) => resolve<Parameter>(document, it));
  const query = parameters
    .filter((it) => it.in === 'query')
    .map(({ name, required = false, description = '', example, schema = {} }) => ({
      key: name,
      value: String(example ?? (required ? sampleOf(document, schema) : '')),
      description,
      disabled: !required,
    }));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const segments = path
    .replace(/\{(\w+)\}/g, '{{$1}}')
    .slice(1)
    .split('/');
  const body = bodyOf(document, operation);
  return {
    name: operation.deprecated ? `${operation.summary} (deprecated)` : operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? operation.summary,
      header: body?.header ?? [],
      url: {
        raw: [`{{base_url}}/${segments.join('/')}`, sent.join('&')].filter(Boolean).join('?'),
        host: ['{{base_url}}'],
        path: segments,
        query,
      },
      ...(body ? { body: body.body } : {}),
    },
  };
}

function bodyOf(document: Json, { requestBody }: Operation): { header: Json[]; body: Json } | null {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return null;
  const header = [{ key: 'Content-Type', value: type }];
  if (type !== 'application/json') return { header, body: { mode: 'file', file: {} } };
  const [named] = Object.values(media.examples ?? {});
  const value = media.example ?? named?.value ?? sampleOf(document, media.schema ?? {});
  const raw = JSON.stringify(value, null, 2);
  return { header, body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}

/** A value for a schema without an example: its required fields, filled in as plainly as possible. */
function sampleOf(document: Json, unresolved: Json): unknown {
  const schema = resolve(document, unresolved);
  const [example] = (schema.examples as unknown[] | undefined) ?? [];
  for (const given of [schema.example, example, schema.default, schema.const]) {
    if (given !== undefined) return given;
  }
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branch = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (branch?.[0]) return sampleOf(document, branch[0]);
  const parts = schema.allOf as Json[] | undefined;
  if (parts?.[0]) return Object.assign({}, ...parts.map((part) => sampleOf(document, part)));
  switch (schema.type) {
    case 'object': {
      const fields = (schema.properties ?? {}) as Record<string, Json>;
      const required = (schema.required ?? []) as string[];
      return Object.fromEntries(
        required.map((name) => [name, sampleOf(document, fields[name] ?? {})]),
      );
    }
    case 'array':
      return Number(schema.minItems ?? 0) > 0
        ? [sampleOf(document, (schema.items ?? {}) as Json)]
        : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return textOf(schema);
    default:
      return null;
  }
}

function textOf({ format }: Json): string {
  const texts: Record<string, string> = {
    date: '2026-02-01',
    'date-time': '2026-02-01T18:00:00Z',
    email: 'ada@example.com',
    uri: 'https://portal.example',
  };
  return texts[String(format)] ?? 'text';
}

/** Follows a reference within the document. */
function resolve<T extends object = Json>(document: Json, value: T | { $ref: string }): T {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value as T;
  const target = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document);
  if (typeof target !== 'object' || target === null) throw new Error(`${$ref} leads nowhere.`);
  return resolve<T>(document, target as T);
}
