import { z } from 'zod';
import { closestNames, either } from './closest-names.ts';
import { field as described, loggedField, named } from './describe-schema.ts';
import { eventTypeName } from './event-types.ts';
import { eventCatalog, webhookEnvelope } from './events.ts';

/** The schemas of each field that a filter can name: several, if event types give it different ones. */
const fieldSchemas = new Map<string, z.ZodType[]>();
for (const [name, schema] of Object.entries(webhookEnvelope.shape)) {
  if (name !== 'data') fieldSchemas.set(name, [name === 'type' ? eventTypeName : schema]);
}
for (const { data } of Object.values(eventCatalog)) {
  for (const [name, schema] of Object.entries(data.shape)) {
    const key = `data.${name}`;
    fieldSchemas.set(key, [...(fieldSchemas.get(key) ?? []), schema as z.ZodType]);
  }
}

/** The fields that a filter can name: those of the body, and as `data.name` those of any event type. */
export const filterFields = [...fieldSchemas.keys()];

export const filterLimits = { conditions: 10, values: 50, valueCharacters: 200 } as const;

const value = z.union([z.string().max(filterLimits.valueCharacters), z.number(), z.boolean()], {
  error: `must be text of at most ${filterLimits.valueCharacters} characters, a number, true or false`,
});

const condition = named(
  'FilterConditionInput',
  'A condition on one field of the body, with exactly one of `equals`, `in` and `exists`. A field that is null counts as missing, and equals nothing.',
  z
    .strictObject({
      field: loggedField(
        z.string().refine((name) => fieldSchemas.has(name), {
          error: ({ input }) => describeUnknownField(String(input)),
        }),
        'A field of the body, such as `external_id`, or of its `data`, such as `data.product_variant`.',
        'data.product_variant',
      ),
      equals: loggedField(value.optional(), 'The field has this value.', 'hoa'),
      in: loggedField(
        z.array(value).min(1).max(filterLimits.values).optional(),
        'The field has one of these values.',
        ['rent', 'hoa'],
      ),
      exists: loggedField(
        z.boolean().optional(),
        'True: the field is there and not null. False: it is missing or null.',
        true,
      ),
    })
    .superRefine((given, { addIssue }) => {
      const { field, equals, in: list, exists } = given;
      if ([equals, list, exists].filter((test) => test !== undefined).length !== 1) {
        addIssue({ code: 'custom', message: 'must have exactly one of equals, in and exists' });
      }
      const wrong = [equals, ...(list ?? [])].find((it) => it !== undefined && !canBe(field, it));
      if (wrong === undefined) return;
      const path = [list === undefined ? 'equals' : 'in'];
      addIssue({ code: 'custom', path, message: describeWrongValue(field, wrong) });
    }),
);

/** A stored filter. */
export const payloadFilterOutput = z.array(
  named(
    'FilterCondition',
    'A condition on one field of the body, with one of `equals`, `in` and `exists`.',
    z.object({
      field: described(z.string(), 'The name of the field.', 'data.product_variant'),
      equals: described(value.optional(), 'The field has this value.', 'hoa'),
      in: described(z.array(value).optional(), 'The field has one of these values.', [
        'rent',
        'hoa',
      ]),
      exists: described(z.boolean().optional(), 'Whether the field is there and not null.', true),
    }),
  ),
);

export const payloadFilter = z.array(condition).min(1).max(filterLimits.conditions);

function canBe(field: string, given: unknown): boolean {
  return fieldSchemas.get(field)?.some((schema) => schema.safeParse(given).success) ?? true;
}

const mostQuoted = 60;

function quoted(text: string): string {
  return `"${text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text}"`;
}

function describeUnknownField(name: string): string {
  const wrong = `${quoted(name)} is not a field of a webhook`;
  const closest = closestNames(name, filterFields);
  const inData = closest.length > 0 ? closest : closestNames(`data.${name}`, filterFields);
  if (inData.length > 0) return `${wrong}. Did you mean ${either(inData)}?`;
  return `${wrong}. Name a field of the body, such as external_id, or of its data, such as data.plan_id`;
}

function describeWrongValue(field: string, given: unknown): string {
  const wrong = `${typeof given === 'string' ? quoted(given) : String(given)} is never the value of ${field}`;
  const known = (fieldSchemas.get(field) ?? []).flatMap(valuesOf);
  const closest = typeof given === 'string' ? closestNames(given, known) : [];
  if (closest.length > 0) return `${wrong}. Did you mean ${either(closest)}?`;
  return known.length === 0
    ? `${wrong}. Its values are described at GET /webhooks/event_types`
    : `${wrong}. It is ${either([...new Set(known)])}`;
}

/** The texts of an enumeration; empty for any other schema. */
function valuesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return valuesOf(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
