import { type EventType, eventCatalog, eventExamples, eventSchemaOf } from '@svc/contract';
import { expect, test } from 'vitest';
import { checkSchema, describeType, type Schema } from './check-schema.ts';

function schemaOf(type: EventType): Schema {
  return eventSchemaOf(type) as Schema;
}

test.each(Object.keys(eventCatalog) as EventType[])(
  'the example of %s matches its schema',
  (type) => {
    expect(checkSchema(eventExamples[type], schemaOf(type))).toEqual([]);
  },
);

test('every mismatch is reported with its path', () => {
  const example = structuredClone(eventExamples['plan.created']) as Record<string, unknown>;
  delete example.plan_id;
  example.rent_cycle_date = '2026-02-30';
  example.product_variant = 'lease';
  example.fee_in_cents = 30.5;
  example.extra = true;
  const [first] = example.installments as Record<string, unknown>[];
  if (first) first.state = 'lost';
  expect(checkSchema(example, schemaOf('plan.created'))).toEqual([
    { path: 'rent_cycle_date', message: 'should be date, YYYY-MM-DD' },
    { path: 'product_variant', message: 'should be one of "rent", "hoa"' },
    { path: 'fee_in_cents', message: 'should be whole number' },
    { path: 'installments[0].state', message: expect.stringContaining('should be one of') },
    { path: 'extra', message: 'is not a field of this type' },
    { path: 'plan_id', message: 'is missing' },
  ]);
});

test('null is accepted only where the schema allows it', () => {
  const declined = { ...eventExamples['application.declined'], reapply_after: null };
  expect(checkSchema(declined, schemaOf('application.declined'))).toEqual([]);
  expect(checkSchema({ ...declined, reapply_after: 5 }, schemaOf('application.declined'))).toEqual([
    { path: 'reapply_after', message: 'should be date, YYYY-MM-DD or null' },
  ]);
  expect(checkSchema(null, schemaOf('plan.created'))).toEqual([
    { path: 'data', message: 'should be object' },
  ]);
});

test('a property name from Object.prototype is not a known field', () => {
  const data = { ...eventExamples['endpoint.disabled'], constructor: 1 };
  expect(checkSchema(data, schemaOf('endpoint.disabled'))).toEqual([
    { path: 'constructor', message: 'is not a field of this type' },
  ]);
});

test('describes types in words', () => {
  expect(describeType({ type: 'array', items: { type: 'integer' } })).toBe('list of whole numbers');
  expect(describeType({ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] })).toBe(
    'instant, RFC 3339 UTC or null',
  );
});
