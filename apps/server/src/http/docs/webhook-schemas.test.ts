import { eventExamples, eventTypes, webhookSchemaOf } from '@svc/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

test.each(eventTypes)('the schema of %s accepts its example, and no other type', (type) => {
  const accepts = ajv.compile(webhookSchemaOf(type));
  const body = {
    id: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6',
    type,
    timestamp: '2026-02-01T18:00:01.000Z',
    api_version: 'v1',
    environment: 'sandbox',
    pms: 'my-portal',
    external_id: 't-100',
    data: eventExamples[type],
  };
  expect(accepts(body), JSON.stringify(accepts.errors)).toBe(true);
  expect(accepts({ ...body, test: true, field_of_a_later_release: 1 })).toBe(true);
  expect(accepts({ ...body, type: 'another.type' })).toBe(false);
  expect(accepts({ ...body, data: { ...body.data, object_version: 'x' } })).toBe(false);
});
