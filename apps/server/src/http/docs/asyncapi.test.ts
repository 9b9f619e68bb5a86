import { eventTypes } from '@svc/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Service } from '../../context.ts';
import { routes } from '../routes.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { openApiDocument } from './openapi.ts';

const service = { environment: 'sandbox', publicOrigin: 'http://localhost:4000' } as Service;
const document = JSON.parse(JSON.stringify(asyncApiDocument(service))) as {
  operations: Record<string, { messages: { $ref: string }[] }>;
  components: {
    messages: Record<string, Message>;
    schemas: Record<string, object>;
  };
};

interface Message {
  name: string;
  headers: { $ref: string };
  payload: { $ref: string };
  examples: { headers: object; payload: object }[];
}

const messages = Object.values(document.components.messages);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');

test('each event type is a message of an operation', () => {
  expect(messages.map(({ name }) => name)).toEqual(eventTypes);
  const sent = Object.values(document.operations).flatMap((it) => it.messages);
  expect(sent.map(({ $ref }) => $ref.split('/').at(-1))).toEqual(
    Object.keys(document.components.messages),
  );
});

test.each(messages)(
  'the example of $name has the headers and body that it describes',
  (message) => {
    for (const part of ['headers', 'payload'] as const) {
      const accepts = ajv.compile({ $ref: `document${message[part].$ref}` });
      expect(accepts(message.examples[0]?.[part]), JSON.stringify(accepts.errors)).toBe(true);
    }
  },
);

test('OpenAPI describes the same bodies', () => {
  const { webhooks, components } = openApiDocument(routes, service) as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, object> } } }>;
    components: { schemas: Record<string, object> };
  };
  for (const { name, payload, examples } of messages) {
    expect(webhooks[name]?.post.requestBody.content['application/json']).toMatchObject({
      schema: payload,
      examples: { request: { value: examples[0]?.payload } },
    });
  }
  const { WebhookHeaders: _, ...schemas } = document.components.schemas;
  expect(components.schemas).toMatchObject(schemas);
});
