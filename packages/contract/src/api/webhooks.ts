import { z } from 'zod';
import { eventTypeName, eventTypeOrGroup } from '../event-types.ts';
import {
  externalId,
  instant,
  listOf,
  listQuery,
  moment,
  queryBoolean,
  text,
} from '../primitives.ts';
import { channel } from './endpoints.ts';
import { warning } from './portal-info.ts';

const customData = z
  .record(z.string(), z.unknown())
  .describe(
    'Delivered byte for byte as in this request, including number format, key order and spaces.',
  );
export const testSendInput = z.strictObject({
  event_type: eventTypeName,
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
  error: z.string().nullable().describe('The message of the network error.'),
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
  next_attempt_at: instant
    .nullable()
    .describe('The retry that was scheduled when this attempt failed.'),
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
  channels: z.array(z.string()).nullable(),
  custom: z.boolean(),
  test: z.boolean(),
  created_at: instant,
  expunged_at: instant
    .nullable()
    .describe('When its payload was erased. It cannot be replayed since then.'),
  deliveries: z.array(deliveryOutput),
});
export const messageDetailOutput = messageOutput.extend({
  body: z
    .string()
    .nullable()
    .describe('The exact bytes of the request body, as text; null after it was expunged.'),
});
export type MessageOutput = z.infer<typeof messageOutput>;
export type MessageDetailOutput = z.infer<typeof messageDetailOutput>;

function commaSeparated<T extends z.ZodType<unknown, string>>(item: T) {
  return z
    .string()
    .max(2000)
    .transform((list) => list.split(','))
    .pipe(z.array(item).max(20));
}

const stateFilters = [...deliveryStates, 'failed'] as const;

export const messagesQuery = z
  .strictObject({
    ...listQuery,
    state: commaSeparated(z.enum(stateFilters))
      .meta({ pattern: `^(${stateFilters.join('|')})(,(${stateFilters.join('|')}))*$` })
      .describe('One or several, separated by commas; `failed` is `retrying` and `exhausted`.')
      .optional(),
    event_type: commaSeparated(eventTypeOrGroup)
      .describe('One to 20, separated by commas; also groups such as `plan.*`.')
      .optional(),
    endpoint_id: z.string().max(100).optional(),
    external_id: externalId.optional(),
    channel: channel.optional(),
    since: moment.optional(),
    until: moment.optional(),
    q: text(200)
      .describe(
        'A full message id; or text within the id, the external id, the type or the body. A page searches up to 5,000 messages, so it can be short or empty and still have a next one: `searched_back_to` says how far it got.',
      )
      .optional(),
    test: queryBoolean
      .describe(
        'True lists test sends only, which are left out otherwise. They have no deliveries and so no `state`: read their attempts.',
      )
      .optional(),
  })
  .refine(({ test, state }) => !(test && state), {
    path: ['state'],
    error: 'must be left out with test=true: a test send is attempted once and has no state',
  });

/** The classes of an attempt's HTTP status. */
export const statusClasses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export const attemptsQuery = z.strictObject({
  ...listQuery,
  endpoint_id: z.string().max(100).optional(),
  succeeded: queryBoolean.optional(),
  status_class: z
    .enum(statusClasses)
    .describe('`none` for attempts without a response.')
    .optional(),
  error_class: z
    .enum(errorClasses)
    .describe('Why attempts failed; `status` for a response other than 2xx.')
    .optional(),
  external_id: externalId.describe('Of messages about this tenant.').optional(),
  event_type: commaSeparated(eventTypeOrGroup)
    .describe('One to 20, separated by commas.')
    .optional(),
  channel: channel.optional(),
  since: moment.describe('Started at or after this time.').optional(),
  until: moment.describe('Started before this time.').optional(),
});

export const replayMessageInput = z.strictObject({ endpoint_id: text(100) });

export const expungeMessageInput = z.strictObject({
  cancel: z
    .boolean()
    .describe(
      'Cancel pending deliveries of the message. Without it, a message with pending deliveries is refused.',
    )
    .optional(),
});

export const activityQuery = z.strictObject({
  endpoint_id: z.string().max(100).optional(),
  since: moment.describe('Default: 24 hours ago.').optional(),
  until: moment.optional(),
});
export const activityOutput = z.object({
  step_seconds: z.int(),
  buckets: z.array(
    z.object({
      at: instant,
      delivered: z.int(),
      failed: z.int(),
      p50_ms: z
        .number()
        .nullable()
        .describe('The median duration of all attempts, delivered or failed.'),
      p95_ms: z
        .number()
        .nullable()
        .describe('The 95th percentile of the duration of all attempts; at most 15,000.'),
    }),
  ),
});
export type ActivityOutput = z.infer<typeof activityOutput>;

export const endpointHealthOutput = z.object({
  endpoint_id: z.string(),
  hours: z
    .array(z.object({ at: instant, delivered: z.int(), failed: z.int() }))
    .describe('The last 24 hours, oldest first.'),
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
  event_type: eventTypeName,
  data: customData,
  external_id: externalId.optional(),
  channels: z
    .array(channel)
    .min(1)
    .max(10)
    .describe('Endpoints that have channels receive the message only if they share one with it.')
    .optional(),
  event_id: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,255}$/, {
      error: 'must be 1 to 255 letters, digits and _ . : -',
    })
    .describe(
      'Your id of the event. Publishing it again returns the first message and sends nothing, for as long as messages are kept. The `webhook-id` stays ours.',
    )
    .optional(),
});
export const publishCustomOutput = z.object({
  id: z.string().describe('The `webhook-id`.'),
  event_id: z.string().nullable().describe('Your id, if you sent one.'),
  duplicate: z
    .boolean()
    .describe('True if an earlier call published this `event_id`; `id` is that message.'),
  warnings: z.array(warning),
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
