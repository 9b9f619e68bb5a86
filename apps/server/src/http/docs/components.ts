import { isDeepStrictEqual } from 'node:util';
import { jsonSchemaOf } from '@svc/contract';
import { z } from 'zod';

export type Json = Record<string, unknown>;

const prefix = '#/components/schemas/';

export interface Components {
  readonly schemas: Record<string, Json>;
  /** Adds a schema and returns a reference to it. */
  add(name: string, schema: Json): Json;
  /** The JSON Schema of `schema`. The named schemas in it become components, and references to them. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** The example of a schema, composed from those of its fields. */
  exampleOf(schema: Json): unknown;
}

/** Collects the named schemas of a document. */
export function createComponents(): Components {
  const schemas: Record<string, Json> = {};
  // The conversion takes most of the time, and lists share their query.
  const converted = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };
  return { schemas, add, schemaOf, exampleOf };

  function add(name: string, schema: Json): Json {
    const known = schemas[name];
    if (known && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two different schemas are named ${name}: give one of them another name.`);
    }
    schemas[name] = schema;
    return { $ref: prefix + name };
  }

  function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const known = converted[io].get(schema);
    if (known) return known;
    // Wrapped, because a root schema is written out even if it has a name.
    const wrapped = jsonSchemaOf(z.object({ it: schema }), io) as {
      properties: { it: Json };
      $defs?: Record<string, Json>;
    };
    for (const [name, definition] of Object.entries(wrapped.$defs ?? {})) {
      add(name, pointToComponents(io === 'input' ? describeDefaults(definition) : definition));
    }
    const found = pointToComponents(wrapped.properties.it);
    converted[io].set(schema, found);
    return found;
  }

  function exampleOf(schema: Json): unknown {
    const { $ref, examples, enum: values, anyOf, oneOf, properties, items } = schema;
    if (Array.isArray(examples)) return examples[0];
    if (typeof $ref === 'string') return exampleOf(schemas[$ref.replace(prefix, '')] ?? {});
    if ('const' in schema) return schema.const;
    if (Array.isArray(values)) return values[0];
    const choices = (anyOf ?? oneOf) as Json[] | undefined;
    if (choices) return exampleOf(choices.find(({ type }) => type !== 'null') ?? {});
    if (properties) {
      const fields = Object.entries(properties as Record<string, Json>);
      const required = (schema.required ?? []) as string[];
      const closed = schema.additionalProperties === false;
      const shown = fields.filter(
        ([name, field]) => required.includes(name) || (closed && hasExample(field)),
      );
      return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field)]));
    }
    if (schema.type === 'array') return [exampleOf((items ?? {}) as Json)];
    return null;
  }

  /** Returns whether a request should show an optional field. One without an example is rarely needed. */
  function hasExample({ examples, $ref, anyOf }: Json): boolean {
    const choices = (anyOf ?? []) as Json[];
    return examples !== undefined || $ref !== undefined || choices.some((it) => '$ref' in it);
  }
}

/**
 * States the defaults of a body's fields in their descriptions. As the keyword `default`, they make
 * openapi-typescript require the fields, because it cannot tell a request's schema from a response's.
 */
function describeDefaults(definition: Json): Json {
  if (!definition.properties) return definition;
  const properties = Object.entries(definition.properties as Record<string, Json>).map(
    ([name, field]) => {
      if (!('default' in field)) return [name, field];
      const { default: value, description, ...rest } = field;
      const stated = `${String(description)} Default: \`${JSON.stringify(value)}\`.`;
      return [name, { ...rest, description: stated }];
    },
  );
  return { ...definition, properties: Object.fromEntries(properties) };
}

/** Turns references to definitions into references to components. */
function pointToComponents<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', prefix) : value,
  );
}
