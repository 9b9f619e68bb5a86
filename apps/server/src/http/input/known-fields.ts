import { z } from 'zod';

type Path = readonly PropertyKey[];

/** The names of an object's fields in a schema. Empty where the schema does not list them. */
export function knownFields(schema: z.ZodType, path: Path): string[] {
  const [first, ...rest] = path;
  const found = unwrap(schema);
  if (found instanceof z.ZodArray && typeof first === 'number') {
    return knownFields(found.element as z.ZodType, rest);
  }
  if (!(found instanceof z.ZodObject)) return [];
  if (first === undefined) return Object.keys(found.shape);
  const field = Object.hasOwn(found.shape, first) ? found.shape[String(first)] : undefined;
  return field === undefined ? [] : knownFields(field as z.ZodType, rest);
}

/** The paths of a value's fields that its schema ignores. */
export function ignoredFields(schema: z.ZodType, value: unknown, path: Path = []): Path[] {
  const found = unwrap(schema);
  if (found instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, at) =>
      ignoredFields(found.element as z.ZodType, item, [...path, at]),
    );
  }
  if (!(found instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const at = [...path, name];
    return Object.hasOwn(found.shape, name)
      ? ignoredFields(found.shape[name] as z.ZodType, field, at)
      : [at];
  });
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.in as z.ZodType) : schema;
}
