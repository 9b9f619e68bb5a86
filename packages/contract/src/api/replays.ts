import { z } from 'zod';
import { eventTypeOrGroup } from '../event-types.ts';
import { externalId, instant, listQuery, moment, text } from '../primitives.ts';
import { channel } from './endpoints.ts';
import { errorClasses, statusClasses } from './webhooks.ts';

const replayedStates = z.array(z.enum(['failed', 'delivered', 'never_attempted', 'skipped']));
export const createReplayInput = z.strictObject({
  endpoint_id: text(100),
  since: moment.describe('Replay messages created at or after this time.'),
  until: moment.describe('Replay messages created before this time. Default: now.').optional(),
  filter: z
    .strictObject({
      states: replayedStates.min(1).max(4).optional(),
      event_types: z.array(eventTypeOrGroup).min(1).max(100).optional(),
      status_class: z
        .enum(statusClasses)
        .describe('Of the last attempt at the endpoint; `none` without a response.')
        .optional(),
      error_class: z
        .enum(errorClasses)
        .describe('Why the last attempt at the endpoint failed.')
        .optional(),
      external_id: externalId.describe('Messages about this tenant.').optional(),
      channel: channel.describe('Messages that were published with this channel.').optional(),
    })
    .optional(),
  rate_per_second: z.int().min(1).max(10_000).optional(),
  dry_run: z.boolean().describe('Only counts the messages.').optional(),
});

export const replayOutput = z.object({
  id: z.string().nullable().describe('null for a dry run.'),
  endpoint_id: z.string(),
  since: instant,
  until: instant,
  filter: z.object({
    states: replayedStates,
    event_types: z.array(z.string()).nullable(),
    status_class: z.enum(statusClasses).nullable(),
    error_class: z.enum(errorClasses).nullable(),
    external_id: externalId.nullable(),
    channel: z.string().nullable(),
  }),
  state: z.enum(['running', 'paused', 'canceled', 'completed']),
  total: z
    .int()
    .describe(
      'Counted when the replay was created, among the oldest 100,000 messages, or 10,000 with a condition on the last attempt. After the end, the number of messages found.',
    ),
  replayed: z.int().describe('Messages queued for delivery so far.'),
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
