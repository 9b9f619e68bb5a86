import { z } from 'zod';
import { externalId, instant, isoDate, listOf, listQuery, text } from '../primitives.ts';

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, {
  error: 'must be an HTTP header name',
});
const headerValue = z
  .string()
  .max(1000)
  .regex(/^[\x20-\x7e]*$/, { error: 'must be visible ASCII' });

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({
    type: z.literal('basic'),
    username: text(200),
    password: z.string().min(1).max(500),
  }),
  z.strictObject({ type: z.literal('header'), name: headerName, value: headerValue.min(1) }),
]);

const eventTypePattern = z.string().regex(/^[a-z]+\.([a-z_]+|\*)$/, {
  error: 'must be a type of the catalogue, or a group such as plan.*',
});

const endpointFields = {
  url: z.string().min(1).max(2048),
  description: text(500).nullish(),
  event_types: z.array(eventTypePattern).min(1).max(100).nullish(),
  auth: auth.optional(),
  headers: z.record(headerName, headerValue).optional(),
  secret: z.string().max(200).optional(),
  throttle_per_second: z.int().min(1).max(10_000).nullish(),
  disable_on_gone: z.boolean().optional(),
};

export const createEndpointInput = z.strictObject(endpointFields);
/** `held` says what becomes of held messages when an endpoint is enabled again. */
export const updateEndpointInput = z.strictObject({
  ...endpointFields,
  url: endpointFields.url.optional(),
  secret: z.never().optional(),
  state: z.enum(['enabled', 'disabled']).optional(),
  held: z.enum(['release', 'skip']).optional(),
});
export type CreateEndpointInput = z.infer<typeof createEndpointInput>;
export type UpdateEndpointInput = z.infer<typeof updateEndpointInput>;

export const endpointOutput = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(z.string()).nullable(),
  auth: z.object({
    type: z.enum(['none', 'basic', 'header']),
    username: z.string().optional(),
    name: z.string().optional(),
  }),
  header_names: z.array(z.string()),
  throttle_per_second: z.int().nullable(),
  disable_on_gone: z.boolean(),
  state: z.enum(['enabled', 'disabled']),
  disabled_reason: z.string().nullable(),
  held_count: z.int(),
  created_at: instant,
});
export type EndpointOutput = z.infer<typeof endpointOutput>;

export const secretOutput = z.object({
  secret: z.string(),
  previous: z.array(z.object({ expires_at: instant })),
});
export const rotateSecretInput = z.strictObject({
  overlap_seconds: z.int().min(0).max(604_800).default(86_400),
});

const customData = z.record(z.string(), z.unknown());
export const testSendInput = z.strictObject({
  event_type: z.string(),
  data: customData.optional(),
});

export const deliveryStates = [
  'pending',
  'delivering',
  'retrying',
  'delivered',
  'exhausted',
  'held',
  'skipped',
] as const;

export const errorClasses = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'blocked_address',
  'status',
] as const;

export const attemptOutput = z.object({
  id: z.string(),
  message_id: z.string(),
  endpoint_id: z.string(),
  number: z.int(),
  trigger: z.enum(['schedule', 'manual', 'recover', 'test']),
  started_at: instant,
  status: z.int().nullable(),
  succeeded: z.boolean(),
  error_class: z.enum(errorClasses).nullable(),
  hint: z.string().nullable(),
  url: z.string(),
  request_headers: z.record(z.string(), z.string()),
  response_headers: z.record(z.string(), z.string()),
  response_body: z.string().nullable(),
  response_truncated: z.boolean(),
  timing_in_ms: z.object({
    dns: z.number().nullable(),
    connect: z.number().nullable(),
    tls: z.number().nullable(),
    first_byte: z.number().nullable(),
    total: z.number(),
  }),
});
export type AttemptOutput = z.infer<typeof attemptOutput>;

export const deliveryOutput = z.object({
  id: z.string(),
  endpoint_id: z.string(),
  endpoint_url: z.string(),
  state: z.enum(deliveryStates),
  reason: z.string().nullable(),
  attempts_made: z.int(),
  next_attempt_at: instant.nullable(),
});

export const messageOutput = z.object({
  id: z.string(),
  event_type: z.string(),
  external_id: externalId.nullable(),
  custom: z.boolean(),
  created_at: instant,
  deliveries: z.array(deliveryOutput),
});
export const messageDetailOutput = messageOutput.extend({
  body: z.string().describe('The exact bytes that are sent, as text.'),
});
export type MessageOutput = z.infer<typeof messageOutput>;
export type MessageDetailOutput = z.infer<typeof messageDetailOutput>;

const moment = z.union([z.iso.datetime({ offset: true }), isoDate]);
export const messagesQuery = z.strictObject({
  ...listQuery,
  state: z.enum([...deliveryStates, 'failed']).optional(),
  event_type: z.string().max(100).optional(),
  endpoint_id: z.string().max(100).optional(),
  external_id: externalId.optional(),
  since: moment.optional(),
  until: moment.optional(),
});

export const replayMessageInput = z.strictObject({ endpoint_id: z.string() });
export const publishCustomInput = z.strictObject({
  event_type: z.string(),
  data: customData,
  external_id: externalId.optional(),
});
export const publishCustomOutput = z.object({
  id: z.string(),
  warnings: z.array(
    z.object({ code: z.string(), param: z.string().nullable(), message: z.string() }),
  ),
});

export const eventTypeOutput = z.object({
  name: z.string(),
  group: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of `data`.'),
  example: z.record(z.string(), z.unknown()),
});
export const eventTypesOutput = listOf(eventTypeOutput);
export const egressIpsOutput = z.object({ egress_ips: z.array(z.string()) });
