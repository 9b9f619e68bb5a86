type Json = Record<string, unknown>;

/** The parts of our OpenAPI document that the generator gets. */
interface Described {
  readonly info: Json;
  readonly servers: unknown;
  readonly tags: unknown;
  readonly security: unknown;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly securitySchemes: Json;
    readonly schemas: Record<string, Json>;
    readonly parameters: Record<string, Parameter>;
  };
}
interface Parameter {
  readonly $ref?: string;
  readonly schema: Json;
}
type Content = Record<string, { readonly schema: Json }>;
interface Operation extends Json {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content: Content }>;
}

/**
 * Returns the OpenAPI 3.0 document that the clients are generated from. openapi-generator supports 3.1 only in
 * part: it stops at `type: 'null'` (Python) and turns `anyOf` with null into classes. Limits, patterns and
 * enumerations are left out: the service checks them, and a client must accept values that are newer.
 */
export function prepareDocument(document: unknown): Json {
  const { info, servers, tags, security, paths, components } = document as Described;
  const operations = Object.entries(paths).map(([path, methods]) => {
    const prepared = Object.entries(methods).map(([method, operation]) => [
      method,
      prepareOperation(operation, components.parameters),
    ]);
    return [path, Object.fromEntries(prepared)];
  });
  return {
    openapi: '3.0.3',
    // The introduction is left out, because each generated file would repeat it.
    info: { title: info.title, version: info.version, license: { name: 'MIT' } },
    servers,
    tags,
    security,
    paths: Object.fromEntries(operations),
    components: {
      securitySchemes: { apiKey: components.securitySchemes.apiKey },
      schemas: mapValues(components.schemas, prepareSchema),
    },
  };
}

function prepareOperation(operation: Operation, shared: Record<string, Parameter>): Json {
  const {
    'x-codeSamples': _,
    security: __,
    responses,
    requestBody,
    parameters,
    ...rest
  } = operation;
  return {
    ...rest,
    parameters: parameters.map((parameter) => {
      const { example: _example, schema, ...named } = resolve(parameter, shared);
      return { ...named, schema: prepareSchema(schema) };
    }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: prepareContent(requestBody.content) },
    }),
    responses: {
      200: { description: 'Done.', content: prepareContent(responses['200']?.content ?? {}) },
      default: {
        description: 'What was wrong and what to do.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function resolve(parameter: Parameter, shared: Record<string, Parameter>): Parameter & Json {
  const name = parameter.$ref?.split('/').at(-1);
  return { ...(name === undefined ? parameter : shared[name]) } as Parameter & Json;
}

function prepareContent(content: Content): Json {
  return mapValues(content, ({ schema }) => ({ schema: prepareSchema(schema) }));
}

const keptKeywords = ['$ref', 'type', 'format', 'description', 'required'];

function prepareSchema(schema: Json): Json {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keptKeywords.includes(keyword)),
  );
  const { properties, items, additionalProperties: others } = schema as Record<string, Json>;
  // `error` of a success and `data` of a failure are always null.
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).filter(
    ([, field]) => field.type !== 'null',
  );
  const names = fields.map(([name]) => name);
  return {
    ...kept,
    // Totals of a day may not fit in 32 bits.
    ...(schema.type === 'integer' && { format: 'int64' }),
    ...typeOf(schema),
    ...(properties && {
      properties: mapValues(Object.fromEntries(fields), prepareSchema),
      required: ((schema.required ?? []) as string[]).filter((name) => names.includes(name)),
    }),
    ...(items && { items: prepareSchema(items) }),
    ...(typeof others === 'object' && { additionalProperties: prepareSchema(others) }),
  };
}

/** Returns the type as OpenAPI 3.0 writes it. Alternatives that no single type covers become any value. */
function typeOf(schema: Json): Json {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return typeOfChoices(choices);
  if ('const' in schema) return { type: typeof schema.const };
  if (schema.type === 'null') return { type: 'object', nullable: true };
  if (!Array.isArray(schema.type)) return {};
  return typeOfChoices(schema.type.map((type) => ({ type })));
}

function typeOfChoices(choices: readonly Json[]): Json {
  const values = choices.filter(({ type }) => type !== 'null');
  const nullable = values.length < choices.length ? { nullable: true } : {};
  const [first = {}] = values;
  const types = new Set(values.map(({ type }) => type));
  if (values.length > 1) {
    const type = types.size === 1 && first.type === 'string' ? 'string' : undefined;
    return { type, ...nullable };
  }
  if ('$ref' in first) return { allOf: [first], ...nullable };
  const { description: _, ...type } = prepareSchema(first);
  return { ...type, ...nullable };
}

function mapValues<From, To>(record: Record<string, From>, convert: (value: From) => To) {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, convert(value)]),
  ) as Record<string, To>;
}
