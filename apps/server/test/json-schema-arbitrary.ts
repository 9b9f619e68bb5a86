import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly not?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
  readonly maxProperties?: number;
}

/** Returns values to use for a field of this name instead of generated ones, such as known ids. */
export type KnownValues = (field: string) => fc.Arbitrary<unknown> | undefined;

/** Generates values that a JSON Schema allows, with a bias toward its limits. */
export function arbitraryOf(
  schema: JsonSchema,
  known: KnownValues,
  field = '',
): fc.Arbitrary<unknown> {
  const preferred = known(field);
  const generated = generate(schema, known);
  return preferred ? fc.oneof({ weight: 4, arbitrary: preferred }, generated) : generated;
}

function generate(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((option) => generate(option, known)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return integerOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 10, 10),
      });
    case 'object':
      return objectOf(schema, known);
    default:
      return anything;
  }
}

const anything = fc.jsonValue({ maxDepth: 3 });

function objectOf(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (!properties) {
    const names = propertyNames ? textOf(propertyNames) : fc.string();
    return fc.dictionary(names, arbitraryOf(additionalProperties || {}, known), {
      maxKeys: Math.min(schema.maxProperties ?? 10, 25),
    });
  }
  const fields = Object.entries(properties).filter(([, field]) => field.not === undefined);
  return fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, arbitraryOf(field, known, name)])),
    { requiredKeys: [...required] },
  );
}

function integerOf({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = minimum ?? Number.MIN_SAFE_INTEGER;
  const max = maximum ?? Number.MAX_SAFE_INTEGER;
  const edges = [min, max, 0, 1, -1, 5_000, 152_012].filter((edge) => edge >= min && edge <= max);
  return fc.oneof(fc.constantFrom(...edges), fc.integer({ min, max }));
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const isAllowed = ajv.compile(schema);
  const { minLength = 0, maxLength = 100 } = schema;
  const edges = [...unusual, ...unusual.map((text) => text.repeat(maxLength / text.length))];
  const allowed = edges.filter((text) => isAllowed(text));
  const generated =
    byFormat(schema) ?? byPattern(schema) ?? fc.string({ minLength, maxLength, unit: 'binary' });
  const arbitrary = generated.filter((text) => isAllowed(text));
  return allowed.length > 0
    ? fc.oneof({ weight: 3, arbitrary }, fc.constantFrom(...allowed))
    : arbitrary;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

// Values with a special meaning to PostgreSQL, URLs, calendars, spreadsheets or JavaScript objects.
const unusual = [
  'a',
  '0',
  '-1',
  ' ',
  '%',
  '/',
  '..',
  '...',
  '\\',
  "'",
  '"',
  ';',
  '*',
  ',',
  '{}',
  '\0',
  '\n',
  '\ud800',
  '\u200b',
  '\u202e',
  '😀',
  'é',
  '=1+1',
  '$1',
  'null',
  'constructor',
  '__proto__',

  'toString',
  'infinity',
  '-infinity',
  'epoch',
  'NaN',
  '1e309',
  '0x10',
  'P400D',
  'PT0S',
  'P9999Y',
  'UTC',
  'Etc/GMT+12',
  'Pacific/Apia',
  'America/Nuuk',
  'Africa/Monrovia',
  'EST5EDT',
  'true',
  'false',
  '1',
  '100',
  'https://portal.example',
  'plan.created',
  'plan.*',
  'failed',
  'ada@example.com',
  'tom&jane@example.com',
  '+15125550100',
  '9999-12-31',
  '0000-01-01',
  '1900-01-01',
  '2199-12-31',
  '2026-02-01',
  '1900-01-01T00:00:00Z',
  '2199-12-31T23:59:59.999Z',
  '2199-12-31T23:59:59-23:59',
  '1900-01-01T00:00:00+23:59',
  '2026-01-20T15:00:00Z',
];

function byFormat({ format }: JsonSchema): fc.Arbitrary<string> | undefined {
  const day = fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2199-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const near = fc.integer({ min: -100, max: 100 }).map((days) => new Date(Date.UTC(2026, 1, days)));
  const instant = fc.oneof(day, near).map((date) => date.toISOString());
  if (format === 'date') return instant.map((text) => text.slice(0, 10));
  return format === 'date-time' ? instant : undefined;
}

/**
 * Generates strings that match the pattern without its lookaheads, which fast-check does not support. The caller
 * filters them.
 */
function byPattern({ pattern }: JsonSchema): fc.Arbitrary<string> | undefined {
  if (pattern === undefined) return undefined;
  return fc.stringMatching(new RegExp(pattern.replace(/\(\?[!=][^)]*\)/g, ''), 'u'));
}
