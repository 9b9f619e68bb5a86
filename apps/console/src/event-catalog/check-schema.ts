/** The subset of JSON Schema that the event catalog uses. Other keywords are not checked. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
}

interface SchemaProblem {
  path: string;
  message: string;
}

/** Checks `value` against `schema`. Returns one problem per mismatch, with its path. */
export function checkSchema(value: unknown, schema: Schema, path = ''): SchemaProblem[] {
  if (schema.anyOf) return checkAny(value, schema.anyOf, path);
  const wrong = describeMismatch(value, schema);
  if (wrong !== null) return [{ path: path || 'data', message: wrong }];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items
      ? value.flatMap((item, index) => checkSchema(item, items, `${path}[${index}]`))
      : [];
  }
  return isObject(value) ? checkFields(value, schema, path) : [];
}

/** Describes a type: "string", "whole number", "list of objects", "date, YYYY-MM-DD or null". */
export function describeType(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return 'one of';
  if (schema.format === 'date') return 'date, YYYY-MM-DD';
  if (schema.format === 'date-time') return 'instant, RFC 3339 UTC';
  const types = [schema.type ?? 'anything'].flat();
  return types
    .map((type) => (type === 'array' ? listOf(schema) : (typeWords[type] ?? type)))
    .join(' or ');
}

const typeWords: Record<string, string> = { integer: 'whole number', boolean: 'true or false' };
const plurals: Record<string, string> = {
  integer: 'whole numbers',
  number: 'numbers',
  object: 'objects',
  string: 'strings',
};

function listOf(schema: Schema): string {
  const { type } = schema.items ?? {};
  return typeof type === 'string' ? `list of ${plurals[type] ?? type}` : 'list';
}

function checkAny(value: unknown, choices: Schema[], path: string): SchemaProblem[] {
  const results = choices.map((choice) => checkSchema(value, choice, path));
  if (results.some((problems) => problems.length === 0)) return [];
  const expected = choices.map(describeType).join(' or ');
  return [{ path: path || 'data', message: `should be ${expected}` }];
}

function describeMismatch(value: unknown, schema: Schema): string | null {
  if (schema.type !== undefined && ![schema.type].flat().some((type) => hasType(value, type))) {
    return `should be ${describeType(schema)}`;
  }
  if (schema.const !== undefined && value !== schema.const) {
    return `should be ${JSON.stringify(schema.const)}`;
  }
  if (schema.enum && !schema.enum.includes(value)) {
    return `should be one of ${schema.enum.map((word) => JSON.stringify(word)).join(', ')}`;
  }
  if (typeof value === 'string' && !matches(value, schema.pattern)) {
    return `should be ${schema.format ? describeType(schema) : `text matching ${schema.pattern}`}`;
  }
  return typeof value === 'number' ? describeNumberMismatch(value, schema) : null;
}

function describeNumberMismatch(value: number, { minimum, maximum }: Schema): string | null {
  if (minimum !== undefined && value < minimum) return `should be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `should be at most ${maximum}`;
  return null;
}

function checkFields(
  value: Record<string, unknown>,
  schema: Schema,
  path: string,
): SchemaProblem[] {
  const pathTo = (name: string) => (path === '' ? name : `${path}.${name}`);
  const known = schema.properties ?? {};
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: pathTo(name), message: 'is missing' }));
  const wrong = Object.entries(value).flatMap(([name, child]) => {
    const childSchema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (childSchema) return checkSchema(child, childSchema, pathTo(name));
    return hasOtherFields(schema)
      ? []
      : [{ path: pathTo(name), message: 'is not a field of this type' }];
  });
  // Problems with existing fields come first: missing ones may just not be typed yet.
  return [...wrong, ...missing];
}

/**
 * Published schemas are open, because fields may be added to events. A body that is typed here
 * should still have only the fields that are listed.
 */
function hasOtherFields({ properties, additionalProperties }: Schema): boolean {
  return additionalProperties === undefined
    ? properties === undefined
    : additionalProperties !== false;
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function matches(value: string, pattern: string | undefined): boolean {
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}

/** Checks text typed as `data`: whether it can be sent, and whether it matches the schema. */
export function checkData(text: string, schema: Schema | undefined): JsonCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      parsed: null,
      problems: [describeJsonError(text, error instanceof Error ? error.message : '')],
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { parsed: null, problems: ['data must be a JSON object: { … }'] };
  }
  const problems = schema ? checkSchema(value, schema) : [];
  return {
    parsed: value as Record<string, unknown>,
    problems: problems.map(({ path, message }) => `${path} ${message}`),
  };
}

/** Browsers word JSON errors differently, but all include a position or a line and column. */
function describeJsonError(text: string, message: string): string {
  const place = /line (\d+) column (\d+)/.exec(message);
  if (place) return `Invalid JSON at line ${place[1]}, column ${place[2]}.`;
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined)
    return 'Invalid JSON: it ends too early, or a quote or comma is missing.';
  const before = text.slice(0, Number(position)).split('\n');
  return `Invalid JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}

export interface JsonCheck {
  /** Null if the text is not a JSON object and therefore cannot be sent. */
  parsed: Record<string, unknown> | null;
  problems: string[];
}
