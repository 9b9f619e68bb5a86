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
  previous_secret_expires_at: instant
    .nullable()
    .describe('Until then the secret before the last rotation signs along.'),
  failing_since: instant
    .nullable()
    .describe('End of the first failed attempt since the last success.'),
  disables_at: instant
    .nullable()
    .describe('A failed attempt from then on disables the endpoint, unless one succeeds before.'),
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
  error: z.string().nullable().describe("The network's own words."),
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
  next_attempt_at: instant.nullable().describe('What the schedule planned when this one failed.'),
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
  test: z.boolean(),
  created_at: instant,
  deliveries: z.array(deliveryOutput),
});
export const messageDetailOutput = messageOutput.extend({
  body: z.string().describe('The exact bytes that are sent, as text.'),
});
export type MessageOutput = z.infer<typeof messageOutput>;
export type MessageDetailOutput = z.infer<typeof messageDetailOutput>;

const moment = z.union([z.iso.datetime({ offset: true }), isoDate]);

function commaSeparated<T extends z.ZodType<unknown, string>>(item: T) {
  return z
    .string()
    .max(2000)
    .transform((list) => list.split(','))
    .pipe(z.array(item).max(20));
}

export const messagesQuery = z.strictObject({
  ...listQuery,
  state: commaSeparated(z.enum([...deliveryStates, 'failed']))
    .describe('One or several, separated by commas; `failed` is `retrying` and `exhausted`.')
    .optional(),
  event_type: commaSeparated(z.string().min(1).max(100))
    .describe(
      'One or several, separated by commas; also groups such as `plan.*`. Looks through 50,000 messages a page.',
    )
    .optional(),
  endpoint_id: z.string().max(100).optional(),
  external_id: externalId.optional(),
  since: moment.optional(),
  until: moment.optional(),
  q: text(200)
    .describe(
      'Text within the id, the external id, the type or the body. Looks through 5,000 messages a page, so a page may be short and still have a next one.',
    )
    .optional(),
});

export const replayMessageInput = z.strictObject({ endpoint_id: z.string() });

const replayedStates = z.array(z.enum(['failed', 'delivered', 'never_attempted', 'skipped']));
const replayedTypes = z.array(eventTypePattern);
export const createReplayInput = z.strictObject({
  endpoint_id: z.string(),
  since: moment.describe('Of messages created from then on.'),
  until: moment.describe('Of messages created before; now when left out.').optional(),
  filter: z
    .strictObject({
      states: replayedStates.min(1).max(4).optional(),
      event_types: replayedTypes.min(1).max(100).optional(),
    })
    .optional(),
  rate_per_second: z.int().min(1).max(10_000).optional(),
  dry_run: z.boolean().describe('Counts, and makes nothing.').optional(),
});

export const replayOutput = z.object({
  id: z.string().nullable().describe('null for a dry run.'),
  endpoint_id: z.string(),
  since: instant,
  until: instant,
  filter: z.object({ states: replayedStates, event_types: replayedTypes.nullable() }),
  state: z.enum(['running', 'paused', 'canceled', 'completed']),
  total: z
    .int()
    .describe(
      'Counted when it was asked for, among the oldest 100,000 messages; once it is over, what was found.',
    ),
  replayed: z.int().describe('Handed over for sending so far.'),
  delivered: z.int(),
  failed: z.int(),
  rate_per_second: z.int().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});
export type ReplayOutput = z.infer<typeof replayOutput>;
export const replaysQuery = z.strictObject({
  ...listQuery,
  endpoint_id: z.string().max(100).optional(),
});

export const activityQuery = z.strictObject({
  endpoint_id: z.string().max(100).optional(),
  since: moment.describe('24 hours ago when left out.').optional(),
  until: moment.optional(),
});
export const activityOutput = z.object({
  step_seconds: z.int(),
  buckets: z.array(
    z.object({
      at: instant,
      delivered: z.int(),
      failed: z.int(),
      p50_ms: z.number().nullable(),
      p95_ms: z.number().nullable(),
    }),
  ),
});
export type ActivityOutput = z.infer<typeof activityOutput>;

export const endpointHealthOutput = z.object({
  endpoint_id: z.string(),
  hours: z
    .array(z.object({ at: instant, delivered: z.int(), failed: z.int() }))
    .describe('The last 24, oldest first.'),
  last_failure: z
    .object({
      at: instant,
      error_class: z.enum(errorClasses),
      status: z.int().nullable(),
      hint: z.string(),
    })
    .nullable(),
});
export type EndpointHealthOutput = z.infer<typeof endpointHealthOutput>;
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
