import {
  activityOutput,
  activityQuery,
  createReplayInput,
  exampleIds,
  listOf,
  replayOutput,
  replaysQuery,
} from '@svc/contract';
import {
  controlReplay,
  createReplay,
  getReplay,
  listActivity,
  listReplays,
  previewReplay,
} from '@svc/webhooks';
import type { AuditEntry } from '../../domain/audit/record.ts';
import { givenFields } from '../input/given-fields.ts';
import { byIdOf, type Route, route } from '../route.ts';
import { listFilter } from './list-filter.ts';

const webhooks = {
  who: 'key_or_portal',
  keyScope: 'webhooks',
  views: ['webhooks'],
  tag: 'Webhooks',
} as const;
const byReplay = byIdOf('Id of the replay.', exampleIds.replay);
const dayMs = 86_400_000;

export const replayRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/replays',
    kind: 'command',
    tag: 'Webhook replays',
    summary: 'Replay many messages',
    docs: {
      id: 'createReplay',
      description:
        'Sends the messages of a time window to one endpoint again, in the background. Without a filter these are the ones that failed. Count them first with `dry_run`.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.replays.create({body})',
      body: {
        endpoint_id: 'ep_01k5z3w7c8d9e0f1g2h3j4k5m6',
        since: '2026-02-01T00:00:00Z',
        until: '2026-02-02T00:00:00Z',
        filter: { states: ['failed'] },
        rate_per_second: 50,
      },
    },
    wakes: true,
    body: createReplayInput,
    output: replayOutput,
    audit: {
      entry({ input: { body }, result }) {
        // A dry run changes nothing.
        if (body.dry_run === true) return null;
        const { id, endpoint_id, since, until, total } = result;
        return {
          action: 'replay.started',
          endpoint_id,
          ...(id === null ? {} : { subject_id: id }),
          details: { since, until, total },
        };
      },
    },
    async verb(ctx, { body: { dry_run, filter, ...rest } }) {
      const input = await listFilter(ctx, { ...rest, filter: filter && givenFields(filter) });
      const verb = dry_run ? previewReplay : createReplay;
      const options = { retentionMs: ctx.service.webhookRetentionMs };
      return verb(ctx.tx, ctx.actor.partnerId, input, ctx.now, options);
    },
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/replays',
    kind: 'query',
    tag: 'Webhook replays',
    summary: 'List replays',
    docs: {
      id: 'listReplays',
      description: 'Returns your replays, newest first, with their progress.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.replays.list({query})',
      query: { limit: 20 },
    },
    query: replaysQuery,
    output: listOf(replayOutput),
    verb: async (ctx, { query }) =>
      listReplays(ctx.tx, ctx.actor.partnerId, await listFilter(ctx, query)),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/replays/{id}',
    kind: 'query',
    tag: 'Webhook replays',
    summary: 'Read a replay',
    docs: {
      id: 'getReplay',
      description: 'Returns the replay with its counts so far.',
      errors: ['replay_not_found'],
      node: 'svc.webhooks.replays.get({id})',
    },
    params: byReplay,
    output: replayOutput,
    verb: (ctx, { params }) => getReplay(ctx.tx, ctx.actor.partnerId, params.id),
  }),
  control(
    'pause',
    'replay.paused',
    'Pause a replay',
    'Stops sending. Deliveries in flight finish. Resume it whenever you like.',
  ),
  control(
    'resume',
    'replay.resumed',
    'Resume a replay',
    'Continues a paused replay from where it stopped.',
  ),
  control(
    'cancel',
    'replay.canceled',
    'Cancel a replay',
    'Ends the replay. Messages that were sent already stay sent.',
  ),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/activity',
    kind: 'query',
    tag: 'Webhook messages',
    summary: 'Count attempts over time',
    docs: {
      id: 'getActivity',
      description:
        'Counts deliveries and failures over time, in at most 120 steps of equal length, with the median and the 95th percentile of their duration.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.activity({query})',
      query: { since: '2026-02-01T00:00:00Z', until: '2026-02-02T00:00:00Z' },
    },
    query: activityQuery,
    output: activityOutput,
    async verb(ctx, { query }) {
      const { tx, actor, now } = ctx;
      const lastDay = { since: new Date(now.getTime() - dayMs), until: now };
      const filter = { ...lastDay, ...(await listFilter(ctx, query)) };
      return listActivity(tx, actor.partnerId, filter, now);
    },
  }),
];

function control(
  what: 'pause' | 'resume' | 'cancel',
  action: AuditEntry['action'],
  summary: string,
  description: string,
): Route {
  return route({
    ...webhooks,
    method: 'POST',
    path: `/webhooks/replays/{id}/${what}`,
    tag: 'Webhook replays',
    kind: 'command',
    summary,
    docs: {
      id: `${what}Replay`,
      description,
      errors: ['replay_not_found', 'version_conflict'],
      node: `svc.webhooks.replays.${what}({id})`,
    },
    wakes: true,
    params: byReplay,
    output: replayOutput,
    audit: {
      entry: ({ input: { params }, result }) => ({
        action,
        endpoint_id: result.endpoint_id,
        subject_id: params.id,
      }),
    },
    verb: ({ tx, actor }, { params }) => controlReplay(tx, actor.partnerId, params.id, what),
  });
}
