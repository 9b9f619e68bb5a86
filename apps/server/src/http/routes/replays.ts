import {
  activityOutput,
  activityQuery,
  createReplayInput,
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
import type { AuditEntry } from '../../domain/index.ts';
import { givenFields } from '../input/given-fields.ts';
import { byId, type Route, route } from '../route.ts';
import { listFilter } from './list-filter.ts';

const webhooks = { who: 'key_or_portal', tag: 'Webhooks' } as const;
const dayMs = 86_400_000;

export const replayRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/replays',
    kind: 'command',
    summary: 'Send many messages to one endpoint again: failed ones, or those that match a filter',
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
    summary: 'List replays, newest first',
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
    summary: 'Read the progress of a replay',
    params: byId,
    output: replayOutput,
    verb: (ctx, { params }) => getReplay(ctx.tx, ctx.actor.partnerId, params.id),
  }),
  control('pause', 'replay.paused', 'Pause a replay; deliveries in flight finish'),
  control('resume', 'replay.resumed', 'Continue a paused replay'),
  control('cancel', 'replay.canceled', 'Cancel a replay; messages already sent stay sent'),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/activity',
    kind: 'query',
    summary: 'Count attempts over time, in at most 120 steps',
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
): Route {
  return route({
    ...webhooks,
    method: 'POST',
    path: `/webhooks/replays/{id}/${what}`,
    kind: 'command',
    summary,
    wakes: true,
    params: byId,
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
