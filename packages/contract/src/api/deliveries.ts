import { z } from 'zod';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
import { externalId, instant } from '../primitives.ts';
import { attemptsQuery, errorClasses } from './webhooks.ts';

/** One attempt to deliver a message to an endpoint, as a row of a table. */
export const deliveryAttemptOutput = named(
  'DeliveryAttempt',
  'One attempt to deliver a message to an endpoint, with the message’s tenant, type and channels.',
  z.object({
    id: field(z.string(), 'Id of the attempt.', exampleIds.attempt),
    started_at: field(instant, 'When it began.', '2026-02-01T18:00:01.250Z'),
    succeeded: field(z.boolean(), 'True if the response was 2xx.', false),
    status: field(
      z.int().nullable(),
      'The HTTP status of the response. Null if there was none.',
      500,
    ),
    error_class: field(
      extensible(z.enum(errorClasses)).nullable(),
      'The kind of failure. Null for a success. More kinds may be added.',
      'status',
    ),
    error: field(z.string().nullable(), 'The message of the network error.', null),
    hint: field(
      z.string().nullable(),
      'What went wrong and what to change, for people.',
      'Your endpoint failed: see its log for the error.',
    ),
    duration_in_ms: field(z.number(), 'From the start to the end of the attempt.', 90.2),
    attempt: field(
      z.int().nullable(),
      'Its number in the retry schedule. Null for one that was sent by hand or by a replay.',
      1,
    ),
    max_attempts: field(z.int(), 'The length of the retry schedule.', 8),
    next_attempt_at: field(
      instant.nullable(),
      'The retry that was scheduled when this attempt failed. Null if none was.',
      '2026-02-01T18:00:06.340Z',
    ),
    trigger: field(
      z.enum(['schedule', 'manual', 'recover', 'test']),
      '`schedule`: the first attempt or a retry. `manual`: one message was replayed. `recover`: part of a replay of many. `test`: a test send.',
      'schedule',
    ),
    endpoint_id: field(z.string(), 'The endpoint that it was sent to.', exampleIds.endpoint),
    url: field(
      z.string(),
      'The URL that it was sent to. The endpoint may have another one by now.',
      'https://portal.example/api/svc/webhooks',
    ),
    message_id: field(
      z.string(),
      'The message that was sent: its `webhook-id`.',
      exampleIds.message,
    ),
    event_type: field(z.string(), 'The event type of the message.', 'plan.activated'),
    external_id: field(
      externalId.nullable(),
      'The tenant that the message is about. Null if it is about none.',
      't-100',
    ),
    channels: field(
      z.array(z.string()).nullable(),
      'The channels that the message was published to. Null if none were named.',
      null,
    ),
  }),
);
export type DeliveryAttemptOutput = z.infer<typeof deliveryAttemptOutput>;

export const deliveryOrders = ['newest', 'failures_first'] as const;

export const deliveriesQuery = attemptsQuery.extend({
  order: loggedField(
    z.enum(deliveryOrders).default('newest'),
    '`newest`: newest message first. `failures_first`: all failures, then all successes, each newest message first.',
    'newest',
  ),
});

/** The most rows of one exported file. */
export const mostExported = 10_000;

export const deliveriesExportQuery = deliveriesQuery.extend({
  limit: loggedField(
    z.coerce.number().int().min(1).max(mostExported).default(mostExported),
    'The largest number of rows in the file.',
    1000,
  ),
});
