import { z } from 'zod';
import { type EventType, eventCatalog, webhookEnvelope } from './events.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema (2020-12) of requests (`input`) or responses (`output`); named schemas are in `$defs`.
 * Objects in responses are open and marked enumerations are plain strings, because both may grow
 * within a version of the API. Objects in requests are closed, so that a typo does not go unnoticed.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...generated } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return convert(generated, io) as JsonSchema;
}

/** Returns the JSON Schema of an event type's `data`, without references and complete in one document. */
export function eventSchemaOf(type: EventType): JsonSchema {
  return completeSchemaOf(eventCatalog[type].data);
}

/** Returns the JSON Schema of a webhook's whole body, which is the envelope with the `data` of the type. */
export function webhookSchemaOf(type: EventType): JsonSchema {
  const { description, data } = eventCatalog[type];
  const body = z.object({ ...webhookEnvelope.shape, type: z.literal(type), data });
  return { ...completeSchemaOf(body), title: type, description };
}

function completeSchemaOf(whole: z.ZodType): JsonSchema {
  const { $defs, ...schema } = jsonSchemaOf(whole, 'output');
  const inlined = inline(schema, ($defs ?? {}) as Record<string, JsonSchema>) as JsonSchema;
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...inlined };
}

/** Keywords whose values are data and not schemas. */
const dataKeywords = ['examples', 'default', 'const', 'enum', 'required'];
/** Keywords whose values are maps from names to schemas. */
const mapKeywords = ['properties', '$defs'];

function convert(schema: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(schema)) return schema.map((item) => convert(item, io));
  if (typeof schema !== 'object' || schema === null) return schema;
  // Not `examples`: Zod drops it from the input of a schema that transforms.
  const { id: _, logged: __, extensible, example, ...rest } = schema as Record<string, unknown>;
  const converted = Object.entries(rest).flatMap(([keyword, value]) => {
    if (keyword === 'additionalProperties' && value === false && io === 'output') return [];
    if (keyword === 'enum' && extensible === true) return [['x-extensible-enum', value]];
    if (dataKeywords.includes(keyword)) return [[keyword, value]];
    if (mapKeywords.includes(keyword)) {
      const fields = Object.entries(value as object);
      return [[keyword, Object.fromEntries(fields.map(([name, it]) => [name, convert(it, io)]))]];
    }
    return [[keyword, convert(value, io)]];
  });
  const examples = example === undefined ? {} : { examples: [example] };
  return { ...Object.fromEntries(converted), ...examples };
}

function inline(schema: unknown, defs: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inline(item, defs));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as Record<string, unknown>;
  const name = String($ref).replace('#/$defs/', '');
  const whole = $ref === undefined ? rest : { ...defs[name], ...rest };
  return Object.fromEntries(
    Object.entries(whole).map(([keyword, value]) => [keyword, inline(value, defs)]),
  );
}
