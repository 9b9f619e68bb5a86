import type { Service } from '../../context.ts';
import { createComponents, type Json } from './components.ts';
import { describeEvents, eventTags, webhookHeaders } from './described-events.ts';

/** The AsyncAPI 3.0 document of the webhooks, from the same event catalog as `openApiDocument`. */
export function asyncApiDocument(service: Service): Json {
  const components = createComponents();
  const events = describeEvents(service, components);
  const channelMessages = Object.fromEntries(
    events.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
  );
  const messages = events.map(({ type, name, description, tag, schema, example }) => [
    name,
    {
      name: type,
      title: type,
      summary: description,
      contentType: 'application/json',
      headers: { $ref: '#/components/schemas/WebhookHeaders' },
      payload: schema,
      correlationId: { $ref: '#/components/correlationIds/messageId' },
      tags: [{ name: tag }],
      examples: [{ name: type, headers: exampleHeaders, payload: example }],
    },
  ]);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Svc webhooks',
      version: 'v1',
      description: introduction,
      license: { name: 'MIT' },
      contact: { name: 'Svc documentation', url: `${service.publicOrigin}/docs` },
      externalDocs: {
        description: 'How to verify and handle webhooks',
        url: `${service.publicOrigin}/docs/webhooks`,
      },
      tags: eventTags(),
    },
    defaultContentType: 'application/json',
    channels: {
      webhooks: {
        address: null,
        title: 'Your webhook endpoint',
        description:
          'An HTTPS URL of your backend. You create endpoints in the console or with `createEndpoint`, and choose the event types of each.',
        messages: channelMessages,
        bindings: { http: {} },
      },
    },
    operations: Object.fromEntries(
      events.map(({ type, name, description, tag }) => [
        `send${name}`,
        {
          action: 'send',
          title: type,
          summary: description,
          channel: { $ref: '#/channels/webhooks' },
          messages: [{ $ref: `#/channels/webhooks/messages/${name}` }],
          tags: [{ name: tag }],
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(messages),
      schemas: { ...components.schemas, WebhookHeaders: headersSchema },
      correlationIds: {
        messageId: {
          description: 'The id of the message, the same in each attempt.',
          location: '$message.header#/webhook-id',
        },
      },
    },
  };
}

const introduction =
  'We send each event as a POST request to your endpoints. Verify its signature, respond with a 2xx status within 15 seconds, and handle each `webhook-id` once. Ignore event types and fields that you do not know, because we may add more.';

const exampleHeaders = Object.fromEntries(
  webhookHeaders.map(({ name, example }) => [name, example]),
);

const headersSchema = {
  type: 'object',
  required: webhookHeaders.map(({ name }) => name),
  properties: Object.fromEntries(
    webhookHeaders.map(({ name, description, schema, example }) => [
      name,
      { ...schema, description, examples: [example] },
    ]),
  ),
};
