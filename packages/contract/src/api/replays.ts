import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { eventTypeOrGroup } from '../event-types.ts';
import { externalId, instant, listQuery, moment, text } from '../primitives.ts';
import { channel } from './endpoints.ts';
import { errorClasses, statusClasses } from './webhooks.ts';

const replayedState = named(
  'ReplayedState',
  'Which messages a replay sends: by the state of their delivery to the endpoint.',
  z.enum(['failed', 'delivered', 'never_attempted', 'skipped']),
  'failed',
);
const replayedStates = z.array(replayedState);

export const createReplayInput = named(
  'ReplayInput',
  'Which messages to send to an endpoint again.',
  z.strictObject({
    endpoint_id: loggedField(text(100), 'The endpoint: its id or your `uid`.', exampleIds.endpoint),
    since: loggedField(
      moment,
      'Replay messages created at or after this time: an instant or a date.',
      '2026-02-01T00:00:00Z',
    ),
    until: loggedField(
      moment.optional(),
      'Replay messages created before this time. Default: now.',
      '2026-02-02T00:00:00Z',
    ),
    filter: field(
      named(
        'ReplayFilterInput',
        'Limits a replay to some messages.',
        z.strictObject({
          states: loggedField(
            replayedStates.min(1).max(4).optional(),
            'Only messages whose delivery is in one of these states. Default: `failed`.',
            ['failed'],
          ),
          event_types: loggedField(
            z.array(eventTypeOrGroup).min(1).max(100).optional(),
            'Only these types, or groups such as `plan.*`.',
            ['settlement.*'],
          ),
          status_class: loggedField(
            z.enum(statusClasses).optional(),
            'Only messages whose last attempt at the endpoint has a status of this class; `none` without a response.',
            '5xx',
          ),
          error_class: loggedField(
            z.enum(errorClasses).optional(),
            'Only messages whose last attempt at the endpoint failed for this reason.',
            'timeout',
          ),
          external_id: field(externalId.optional(), 'Only messages about this tenant.', 't-100'),
          channel: field(channel.optional(), 'Only messages of this channel.', 'ledger'),
        }),
      ).optional(),
      'Limits the replay to some messages. Default: all that failed.',
    ),
    rate_per_second: loggedField(
      z.int().min(1).max(10_000).optional(),
      'The most messages per second to send. Default: as fast as the endpoint answers.',
      50,
    ),
    dry_run: loggedField(
      z.boolean().optional(),
      'Only counts the messages; nothing is sent or stored.',
      true,
    ),
  }),
);

export const replayOutput = named(
  'Replay',
  'Messages that are sent to one endpoint again, and how far it got.',
  z.object({
    id: field(z.string().nullable(), 'Id of the replay. Null for a dry run.', exampleIds.replay),
    endpoint_id: field(z.string(), 'The endpoint.', exampleIds.endpoint),
    since: field(instant, 'The beginning of the time window.', '2026-02-01T00:00:00.000Z'),
    until: field(instant, 'The end of the time window.', '2026-02-02T00:00:00.000Z'),
    filter: field(
      named(
        'ReplayFilter',
        'Which messages of the time window are replayed.',
        z.object({
          states: field(replayedStates, 'The states of the deliveries.', ['failed']),
          event_types: field(
            z.array(z.string()).nullable(),
            'The event types. Null for all.',
            null,
          ),
          status_class: field(
            z.enum(statusClasses).nullable(),
            'The class of the last attempt’s status. Null for all.',
            null,
          ),
          error_class: field(
            z.enum(errorClasses).nullable(),
            'Why the last attempt failed. Null for all.',
            null,
          ),
          external_id: field(externalId.nullable(), 'The tenant. Null for all.', null),
          channel: field(z.string().nullable(), 'The channel. Null for all.', null),
        }),
      ),
      'Which messages of the time window are replayed.',
    ),
    state: field(
      z.enum(['running', 'paused', 'canceled', 'completed']),
      'A paused replay can be resumed. A canceled or completed one is over.',
      'running',
    ),
    total: field(
      z.int(),
      'Counted when the replay was created, among the oldest 100,000 messages, or 10,000 with a condition on the last attempt. After the end, the number of messages found.',
      128,
    ),
    replayed: field(z.int(), 'Messages queued for delivery so far.', 60),
    delivered: field(z.int(), 'Messages delivered so far.', 58),
    failed: field(z.int(), 'Messages whose attempt failed so far.', 2),
    rate_per_second: field(z.int().nullable(), 'The most messages per second. Null: no limit.', 50),
    created_at: field(instant, 'When it was started.', '2026-02-02T08:00:00.000Z'),
    finished_at: field(instant.nullable(), 'When it ended. Null while it runs.', null),
  }),
);
export type ReplayOutput = z.infer<typeof replayOutput>;
export const replaysQuery = z.strictObject({
  ...listQuery,
  endpoint_id: loggedField(
    z.string().max(100).optional(),
    'Only replays to this endpoint: its id or your `uid`.',
    exampleIds.endpoint,
  ),
});
