import { z } from 'zod';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
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

const customData = field(
  z.record(z.string(), z.unknown()),
  'Delivered byte for byte as in this request, including number format, key order and spaces.',
  { changed: ['charges'] },
);
export const testSendInput = named(
  'TestSendInput',
  'What to send.',
  z.strictObject({
    event_type: loggedField(eventTypeName, 'The event type to send.', 'plan.activated'),
    data: field(
      customData.optional(),
      'Your own `data`, delivered byte for byte. Default: the example of the event type.',
    ),
  }),
);

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

export const attemptTiming = named(
  'AttemptTiming',
  'How long each phase took, in milliseconds. Null for a phase that was not reached or not needed.',
  z.object({
    dns: field(z.number().nullable(), 'Looking up the host name.', 4.1),
    connect: field(z.number().nullable(), 'Opening the connection.', 12.8),
    tls: field(z.number().nullable(), 'The TLS handshake.', 25.3),
    first_byte: field(z.number().nullable(), 'Until the first byte of the response.', 88.5),
    total: field(z.number(), 'All of it.', 90.2),
  }),
);

export const attemptOutput = named(
  'Attempt',
  'One HTTP request to an endpoint, and the response to it.',
  z.object({
    id: field(z.string(), 'Id of the attempt.', exampleIds.attempt),
    message_id: field(
      z.string(),
      'The message that was sent: its `webhook-id`.',
      exampleIds.message,
    ),
    endpoint_id: field(z.string(), 'The endpoint that it was sent to.', exampleIds.endpoint),
    number: field(z.int(), 'Counts the attempts of this message to this endpoint, from 1.', 1),
    trigger: field(
      z.enum(['schedule', 'manual', 'recover', 'test']),
      '`schedule`: the first attempt or a retry. `manual`: one message was replayed. `recover`: part of a replay of many. `test`: a test send.',
      'schedule',
    ),
    started_at: field(instant, 'When it began.', '2026-02-01T18:00:01.250Z'),
    status: field(
      z.int().nullable(),
      'The HTTP status of the response. Null if there was none.',
      204,
    ),
    succeeded: field(z.boolean(), 'True if the response was 2xx.', true),
    error_class: field(
      extensible(z.enum(errorClasses)).nullable(),
      'The kind of failure. Null for a success. More kinds may be added.',
      null,
    ),
    error: field(z.string().nullable(), 'The message of the network error.', null),
    hint: field(z.string().nullable(), 'What went wrong and what to change, for people.', null),
    url: field(
      z.string(),
      'The URL that it was sent to.',
      'https://portal.example/api/svc/webhooks',
    ),
    request_headers: field(
      z.record(z.string(), z.string()),
      'The headers that were sent. Credentials are left out.',
      { 'webhook-id': exampleIds.message },
    ),
    response_headers: field(z.record(z.string(), z.string()), 'The headers of the response.', {
      'content-length': '0',
    }),
    response_body: field(
      z.string().nullable(),
      'The beginning of the response’s body. Null if there was none, or after it was expunged.',
      '',
    ),
    response_truncated: field(z.boolean(), 'True if the body was longer.', false),
    timing_in_ms: attemptTiming,
    next_attempt_at: field(
      instant.nullable(),
      'The retry that was scheduled when this attempt failed.',
      null,
    ),
  }),
);
export type AttemptOutput = z.infer<typeof attemptOutput>;

export const testSendOutput = named(
  'TestSend',
  'The attempt of a test send.',
  attemptOutput.extend({
    warnings: field(
      z.array(warning),
      'Where your `data` differs from the schema of the event type. It was sent as given.',
      [],
    ),
  }),
);
export type TestSendOutput = z.infer<typeof testSendOutput>;

const deliveryState = named(
  'DeliveryState',
  '`pending`: not tried yet. `delivering`: being sent. `retrying`: failed, and will be tried again. `exhausted`: all eight attempts failed. `held`: the endpoint is disabled. `skipped`: it will not be sent; `reason` says why.',
  z.enum(deliveryStates),
  'delivered',
);

export const deliveryOutput = named(
  'Delivery',
  'One message on its way to one endpoint.',
  z.object({
    id: field(z.string(), 'Id of the delivery.', exampleIds.delivery),
    endpoint_id: field(z.string(), 'The endpoint.', exampleIds.endpoint),
    endpoint_url: field(
      z.string(),
      'The URL of the endpoint.',
      'https://portal.example/api/svc/webhooks',
    ),
    state: deliveryState,
    reason: field(
      z.string().nullable(),
      'Why it is skipped, such as `expunged` or `endpoint_deleted`. Null in other states.',
      null,
    ),
    attempts_made: field(z.int(), 'How many attempts have been made.', 1),
    next_attempt_at: field(
      instant.nullable(),
      'When the next attempt is due. Null if none is.',
      null,
    ),
  }),
);

const messageFields = {
  id: field(z.string(), 'Id of the message: its `webhook-id`.', exampleIds.message),
  event_type: field(z.string(), 'The event type.', 'plan.activated'),
  external_id: field(
    externalId.nullable(),
    'The tenant it is about. Null if it is about none.',
    't-100',
  ),
  channels: field(
    z.array(z.string()).nullable(),
    'The channels it was published to. Null if none were named.',
    null,
  ),
  custom: field(z.boolean(), 'True if you published it.', false),
  test: field(z.boolean(), 'True if it is a test send.', false),
  created_at: field(instant, 'When it was created.', '2026-02-01T18:00:01.000Z'),
  expunged_at: field(
    instant.nullable(),
    'When its payload was erased. It cannot be replayed since then.',
    null,
  ),
  deliveries: field(z.array(deliveryOutput), 'Its delivery to each endpoint.'),
};
export const messageOutput = named(
  'Message',
  'A webhook: one event on its way to your endpoints.',
  z.object(messageFields),
);
export const messageDetailOutput = named(
  'MessageDetail',
  'A webhook with its body.',
  z.object({
    ...messageFields,
    body: field(
      z.string().nullable(),
      'The exact bytes of the request body, as text; null after it was expunged.',
      '{"id":"evt_01k5z3w7c8d9e0f1g2h3j4k5m6","type":"plan.activated"}',
    ),
  }),
);
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

const timeFilter = {
  since: loggedField(
    moment.optional(),
    'Only those from this time on: an instant or a date.',
    '2026-02-01T00:00:00Z',
  ),
  until: loggedField(
    moment.optional(),
    'Only those from before this time: an instant or a date.',
    '2026-02-02T00:00:00Z',
  ),
};
const endpointFilter = loggedField(
  z.string().max(100).optional(),
  'Only those of this endpoint: its id or your `uid`.',
  exampleIds.endpoint,
);
const channelFilter = loggedField(channel.optional(), 'Only messages of this channel.', 'ledger');
const eventTypeFilter = loggedField(
  commaSeparated(eventTypeOrGroup).optional(),
  'One to 20 event types, separated by commas; also groups such as `plan.*`.',
  'plan.*',
);

export const messagesQuery = z
  .strictObject({
    ...listQuery,
    state: loggedField(
      commaSeparated(z.enum(stateFilters))
        .meta({ pattern: `^(${stateFilters.join('|')})(,(${stateFilters.join('|')}))*$` })
        .optional(),
      'One or several states, separated by commas; `failed` is `retrying` and `exhausted`.',
      'failed',
    ),
    event_type: eventTypeFilter,
    endpoint_id: endpointFilter,
    external_id: loggedField(externalId.optional(), 'Only messages about this tenant.', 't-100'),
    channel: channelFilter,
    ...timeFilter,
    q: field(
      text(200).optional(),
      'A full message id; or text within the id, the external id, the type or the body. A page searches up to 5,000 messages, so it can be short or empty and still have a next one: `searched_back_to` says how far it got.',
      'plan',
    ),
    test: loggedField(
      queryBoolean.optional(),
      '`true` lists test sends only, which are left out otherwise. They have no deliveries and so no `state`: read their attempts.',
      'false',
    ),
  })
  .refine(({ test, state }) => !(test && state), {
    path: ['state'],
    error: 'must be left out with test=true: a test send is attempted once and has no state',
  });

/** The classes of an attempt's HTTP status. */
export const statusClasses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export const attemptsQuery = z.strictObject({
  ...listQuery,
  endpoint_id: endpointFilter,
  succeeded: loggedField(
    queryBoolean.optional(),
    '`true` for successes only, `false` for failures only.',
    'false',
  ),
  status_class: loggedField(
    z.enum(statusClasses).optional(),
    'The class of the response’s status; `none` for attempts without a response.',
    '5xx',
  ),
  error_class: loggedField(
    z.enum(errorClasses).optional(),
    'Why attempts failed; `status` for a response other than 2xx.',
    'timeout',
  ),
  external_id: loggedField(
    externalId.optional(),
    'Only attempts of messages about this tenant.',
    't-100',
  ),
  event_type: eventTypeFilter,
  channel: channelFilter,
  ...timeFilter,
});

export const replayMessageInput = named(
  'MessageReplayInput',
  'Where to send the message again.',
  z.strictObject({
    endpoint_id: loggedField(text(100), 'The endpoint: its id or your `uid`.', exampleIds.endpoint),
  }),
);

export const expungeMessageInput = named(
  'MessageExpungeInput',
  'How to treat pending deliveries.',
  z.strictObject({
    cancel: loggedField(
      z.boolean().optional(),
      'Cancel pending deliveries of the message. Without it, a message with pending deliveries is refused.',
      true,
    ),
  }),
);

export const activityQuery = z.strictObject({
  endpoint_id: endpointFilter,
  since: loggedField(
    moment.optional(),
    'The beginning: an instant or a date. Default: 24 hours ago.',
    '2026-02-01T00:00:00Z',
  ),
  until: loggedField(
    moment.optional(),
    'The end: an instant or a date. Default: now.',
    '2026-02-02T00:00:00Z',
  ),
});
export const activityOutput = named(
  'Activity',
  'The number of attempts over time.',
  z.object({
    step_seconds: field(z.int(), 'The length of each step.', 900),
    buckets: field(
      z.array(
        named(
          'ActivityStep',
          'The attempts of one step.',
          z.object({
            at: field(instant, 'The beginning of the step.', '2026-02-01T18:00:00.000Z'),
            delivered: field(z.int(), 'Attempts that succeeded.', 118),
            failed: field(z.int(), 'Attempts that failed.', 2),
            p50_ms: field(
              z.number().nullable(),
              'The median duration of all attempts, delivered or failed.',
              84.5,
            ),
            p95_ms: field(
              z.number().nullable(),
              'The 95th percentile of the duration of all attempts; at most 15,000.',
              310.2,
            ),
          }),
        ),
      ),
      'The steps, oldest first.',
    ),
  }),
);
export type ActivityOutput = z.infer<typeof activityOutput>;

export const endpointHealthOutput = named(
  'EndpointHealth',
  'The attempts to one endpoint in the last 24 hours.',
  z.object({
    endpoint_id: field(z.string(), 'The endpoint.', exampleIds.endpoint),
    hours: field(
      z.array(
        named(
          'EndpointHour',
          'The attempts of one hour.',
          z.object({
            at: field(instant, 'The beginning of the hour.', '2026-02-01T18:00:00.000Z'),
            delivered: field(z.int(), 'Attempts that succeeded.', 118),
            failed: field(z.int(), 'Attempts that failed.', 2),
          }),
        ),
      ),
      'The last 24 hours, oldest first.',
    ),
    last_failure: field(
      named(
        'EndpointFailure',
        'A failed attempt.',
        z.object({
          at: field(instant, 'When the attempt began.', '2026-02-01T18:12:07.000Z'),
          error_class: field(
            extensible(z.enum(errorClasses)),
            'The kind of failure. More kinds may be added.',
            'status',
          ),
          status: field(
            z.int().nullable(),
            'The HTTP status of the response. Null if there was none.',
            500,
          ),
          hint: field(
            z.string(),
            'What went wrong and what to change, for people.',
            'Your endpoint failed: see its log for the error.',
          ),
        }),
      ).nullable(),
      'The last failed attempt. Null if none failed.',
    ),
  }),
);
export type EndpointHealthOutput = z.infer<typeof endpointHealthOutput>;
export const publishCustomInput = named(
  'CustomEventInput',
  'An event of your own.',
  z.strictObject({
    event_type: loggedField(
      eventTypeName,
      'The event type. Its `data` should fit the schema of the type; `warnings` says where it does not.',
      'tenant.updated',
    ),
    data: customData,
    external_id: loggedField(externalId.optional(), 'The tenant it is about.', 't-100'),
    channels: loggedField(
      z.array(channel).min(1).max(10).optional(),
      'Endpoints that have channels receive the message only if they share one with it.',
      ['ledger'],
    ),
    event_id: loggedField(
      z
        .string()
        .regex(/^[A-Za-z0-9_.:-]{1,255}$/, {
          error: 'must be 1 to 255 letters, digits and _ . : -',
        })
        .optional(),
      'Your id of the event. Publishing it again returns the first message and sends nothing, for as long as messages are kept. The `webhook-id` stays ours.',
      'move-in-1042',
    ),
  }),
);
export const publishCustomOutput = named(
  'CustomEvent',
  'The message that was published.',
  z.object({
    id: field(z.string(), 'Id of the message: its `webhook-id`.', exampleIds.message),
    event_id: field(
      z.string().nullable(),
      'Your id of the event. Null if you sent none.',
      'move-in-1042',
    ),
    duplicate: field(
      z.boolean(),
      'True if an earlier call published this `event_id`; `id` is that message.',
      false,
    ),
    warnings: field(
      z.array(warning),
      'Where `data` differs from the schema of the event type.',
      [],
    ),
  }),
);

export const eventTypeOutput = named(
  'EventType',
  'An event type of the catalog.',
  z.object({
    name: field(z.string(), 'The name. Subscriptions and filters use it.', 'autopay.enabled'),
    group: field(z.string(), 'The heading under which the docs list it.', 'Repayment'),
    description: field(
      z.string(),
      'What has happened.',
      'Payments are collected automatically again, on their due dates.',
    ),
    schema: field(z.record(z.string(), z.unknown()), 'JSON Schema of `data`.', { type: 'object' }),
    example: field(z.record(z.string(), z.unknown()), 'An example of `data`.', {
      plan_id: exampleIds.plan,
    }),
  }),
);
export const eventTypesOutput = listOf(eventTypeOutput);
export const egressIpsOutput = named(
  'EgressIps',
  'The IP addresses that webhooks come from.',
  z.object({
    egress_ips: field(
      z.array(z.string()),
      'Let them through your firewall. Empty if the operator has not configured them.',
      ['203.0.113.7'],
    ),
  }),
);
