import {
  createEndpointInput,
  deliveryStates,
  externalId,
  messagesQuery,
  testSendInput,
} from '@svc/contract';
import { z } from 'zod';
import { defineTool, listLimit, noInput, type ToolService } from '../tool.ts';

const state = z
  .enum(['failed', ...deliveryStates])
  .optional()
  .meta({ description: 'The state of a delivery; "failed" is "retrying" and "exhausted".' });
const eventType = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'An event type, or a group such as "plan.*".' });
const messageId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The message: its webhook-id, such as "evt_…".' });
const endpointId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The endpoint: its id, such as "ep_…", or your uid.' });

const listMessages = defineTool({
  name: 'list_messages',
  title: 'List webhook messages',
  description:
    'Lists the webhooks that were sent, newest first, with the state of each delivery. Use state "failed" to find what your receiver did not accept, then show_message for the reason.',
  input: z.strictObject({
    state,
    event_type: eventType,
    external_id: externalId.optional().meta({ description: 'Only messages about this tenant.' }),
    limit: listLimit,
    cursor: messagesQuery.shape.cursor,
  }),
  example: { state: 'failed' },
  run: (service, query) => service.call('GET /webhooks/messages', { query }),
});

const showMessage = defineTool({
  name: 'show_message',
  title: 'Show a message and its attempts',
  description:
    'Returns a webhook with its exact body and every attempt: status, error, what your receiver answered, and a hint at what to change.',
  input: z.strictObject({ message_id: messageId }),
  example: { message_id: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6' },
  async run(service, { message_id }) {
    const params = { id: message_id };
    const message = await service.call<object>('GET /webhooks/messages/{id}', { params });
    const attempts = await service.call<{ items: unknown[] }>(
      'GET /webhooks/messages/{id}/attempts',
      { params, query: { limit: 10 } },
    );
    return { ...message, attempts: attempts.items };
  },
});

const replayMessage = defineTool({
  name: 'replay_message',
  title: 'Send a message again',
  description:
    'Sends a webhook to an endpoint again, with the same id and bytes. Use it after a fix of your receiver, or to check that it handles a repeated id once.',
  input: z.strictObject({ message_id: messageId, endpoint_id: endpointId }),
  example: {
    message_id: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6',
    endpoint_id: 'ep_01k5z3w7c8d9e0f1g2h3j4k5m6',
  },
  access: 'write',
  openWorld: true,
  run: (service, { message_id, endpoint_id }) =>
    service.call('POST /webhooks/messages/{id}/replay', {
      params: { id: message_id },
      body: { endpoint_id },
    }),
});

const sendTest = defineTool({
  name: 'send_test_webhook',
  title: 'Send a test webhook',
  description:
    'Sends one test message (`test: true`) of an event type to an endpoint, and returns the attempt with your receiver’s answer.',
  input: z.strictObject({ endpoint_id: endpointId, event_type: testSendInput.shape.event_type }),
  example: { endpoint_id: 'ep_01k5z3w7c8d9e0f1g2h3j4k5m6', event_type: 'plan.activated' },
  access: 'write',
  openWorld: true,
  run: (service, { endpoint_id, event_type: type }) =>
    service.call('POST /webhooks/endpoints/{id}/test', {
      params: { id: endpoint_id },
      body: { event_type: type },
      timeoutMs: 30_000,
    }),
});

const listEndpoints = defineTool({
  name: 'list_endpoints',
  title: 'List webhook endpoints',
  description:
    'Lists your webhook endpoints with their state. The signing secrets are not part of it.',
  input: noInput,
  example: {},
  run: (service) => service.call('GET /webhooks/endpoints', { query: { limit: 20 } }),
});

const createEndpoint = defineTool({
  name: 'create_endpoint',
  title: 'Create a webhook endpoint',
  description:
    'Registers a URL of yours for webhooks. The answer has no secret: it has a shell command that writes the signing secret into your env file without printing it. On a service of your own machine, http://localhost and http://127.0.0.1 work.',
  input: z.strictObject({
    url: createEndpointInput.shape.url,
    description: createEndpointInput.shape.description,
    event_types: createEndpointInput.shape.event_types,
    env_file: z
      .string()
      .regex(/^\.env[\w.-]{0,40}$/, { error: 'must be a file such as .env or .env.local' })
      .default('.env')
      .meta({
        description: 'The file that has SVC_API_KEY, and gets the secret: in Next.js, .env.local.',
      }),
  }),
  example: { url: 'http://localhost:3000/api/svc/webhooks' },
  access: 'write',
  openWorld: true,
  async run(service, { env_file, ...body }) {
    const endpoint = await service.call<{ id: string }>('POST /webhooks/endpoints', { body });
    return { endpoint, next: storeSecret(service, endpoint.id, env_file) };
  },
});

/**
 * Tells the agent how to store the signing secret. A secret in an answer would be in the agent's context and in its
 * provider's logs.
 */
function storeSecret({ origin }: ToolService, id: string, file: string) {
  const url = `${origin}/v1/webhooks/endpoints/${id}/secret`;
  return {
    what: `Store the signing secret where your receiver reads it, and restart your app. The command takes SVC_API_KEY from ${file}, writes SVC_WEBHOOK_SECRET into it, and prints nothing. Do not read the file.`,
    command: `(set -a; . ./${file}; secret=$(curl -fsS ${url} -H "Authorization: Bearer $SVC_API_KEY" | sed -n 's/.*"secret":"\\([^"]*\\)".*/\\1/p') && [ -n "$secret" ] && printf '\\nSVC_WEBHOOK_SECRET=%s\\n' "$secret" >> ${file})`,
  };
}

const allowedOrigin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .meta({ description: 'Scheme, host and port of your page, without a path.' });

const listOrigins = defineTool({
  name: 'list_allowed_origins',
  title: 'List the allowed origins',
  description:
    'Lists the origins whose pages may show the widget. With an empty list, the sandbox allows every page.',
  input: noInput,
  example: {},
  run: (service) => service.call('GET /partner/allowed_origins'),
});

const allowOrigin = defineTool({
  name: 'allow_origin',
  title: 'Allow an origin',
  description: 'Adds the origin of a page to the list of those that may show the widget.',
  input: z.strictObject({ origin: allowedOrigin }),
  example: { origin: 'http://localhost:3000' },
  access: 'write',
  idempotent: true,
  async run(service, { origin }) {
    const { allowed_origins } = await service.call<{ allowed_origins: string[] }>(
      'GET /partner/allowed_origins',
    );
    if (allowed_origins.includes(origin)) return { allowed_origins };
    return service.call('PUT /partner/allowed_origins', {
      body: { allowed_origins: [...allowed_origins, origin] },
    });
  },
});

export const webhookTools = [
  listEndpoints,
  createEndpoint,
  listMessages,
  showMessage,
  replayMessage,
  sendTest,
  listOrigins,
  allowOrigin,
];
