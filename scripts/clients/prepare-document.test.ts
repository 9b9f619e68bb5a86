import { expect, test } from 'vitest';
import { prepareDocument } from './prepare-document.ts';

/** A field of an object in a response, as the generator gets it. */
function prepared(schema: object): unknown {
  const document = {
    info: { title: 'Svc', version: 'v1' },
    paths: {},
    components: {
      securitySchemes: {},
      parameters: {},
      schemas: { It: { properties: { schema } } },
    },
  };
  const { components } = prepareDocument(document) as {
    components: { schemas: { It: { properties: { schema: unknown } } } };
  };
  return components.schemas.It.properties.schema;
}

test.each([
  ['text with limits', { type: 'string', maxLength: 9, pattern: '^a$' }, { type: 'string' }],
  ['an enumeration, which may grow', { type: 'string', enum: ['a'] }, { type: 'string' }],
  ['a constant', { const: true }, { type: 'boolean' }],
  ['cents', { type: 'integer', minimum: 0 }, { type: 'integer', format: 'int64' }],
  [
    'text or null',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { type: 'string', nullable: true },
  ],
  ['a list of types', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'a model or null',
    { anyOf: [{ $ref: '#/components/schemas/Plan' }, { type: 'null' }] },
    { allOf: [{ $ref: '#/components/schemas/Plan' }], nullable: true },
  ],
  [
    'two kinds of text',
    { anyOf: [{ type: 'string', format: 'date' }, { type: 'string' }] },
    { type: 'string' },
  ],
  ['values of several types', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, {}],
])('%s', (_, schema, expected) => {
  expect(prepared(schema)).toEqual(expected);
});

test('leaves out fields that are always null', () => {
  expect(
    prepared({
      type: 'object',
      required: ['error', 'data'],
      properties: { error: { type: 'null' }, data: { type: 'string' } },
    }),
  ).toEqual({ type: 'object', required: ['data'], properties: { data: { type: 'string' } } });
});
