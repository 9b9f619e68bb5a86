import { z } from 'zod';
import { externalId, instant } from '../primitives.ts';
import { attemptsQuery, errorClasses } from './webhooks.ts';

/** One attempt to deliver a message to an endpoint, as a row of a table. */
export const deliveryAttemptOutput = z.object({
  id: z.string().describe('The id of the attempt.'),
  started_at: instant.describe('To the millisecond.'),
  succeeded: z.boolean(),
  status: z.int().nullable().describe('The HTTP status; null without a response.'),
  error_class: z.enum(errorClasses).nullable().describe('Why it failed; null after a success.'),
  error: z.string().nullable().describe('The message of the network error.'),
  hint: z.string().nullable().describe('Says what went wrong and what to change.'),
  duration_in_ms: z.number(),
  attempt: z
    .int()
    .nullable()
    .describe('Its number in the retry schedule; null for one sent by hand or by a replay.'),
  max_attempts: z.int().describe('The length of the retry schedule.'),
  next_attempt_at: instant
    .nullable()
    .describe('The retry that was scheduled when this attempt failed.'),
  trigger: z.enum(['schedule', 'manual', 'recover', 'test']),
  endpoint_id: z.string(),
  url: z.string().describe('Where it was sent. The endpoint may have another URL by now.'),
  message_id: z.string(),
  event_type: z.string(),
  external_id: externalId.nullable().describe('The tenant, if the message is about one.'),
  channels: z.array(z.string()).nullable(),
});
export type DeliveryAttemptOutput = z.infer<typeof deliveryAttemptOutput>;

export const deliveryOrders = ['newest', 'failures_first'] as const;

export const deliveriesQuery = attemptsQuery.extend({
  order: z
    .enum(deliveryOrders)
    .default('newest')
    .describe(
      '`newest`: newest message first. `failures_first`: all failures, then all successes, each newest message first.',
    ),
});

/** The most rows of one exported file. */
export const mostExported = 10_000;

export const deliveriesExportQuery = deliveriesQuery.extend({
  limit: z.coerce.number().int().min(1).max(mostExported).default(mostExported),
});
