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
import { z } from 'zod';
import type { AuditEntry } from '../../domain/index.ts';
import { givenFields } from '../input/given-fields.ts';
import { type Route, route } from '../route.ts';
import { withEndpoint } from './with-endpoint.ts';

const webhooks = { who: 'key_or_portal', tag: 'Webhooks' } as const;
const byId = z.strictObject({ id: z.string().min(1).max(255) });
const dayMs = 86_400_000;

export const replayRoutes: readonly Route[] = [
  route({
    ...webhooks,
    method: 'POST',
    path: '/webhooks/replays',
    kind: 'command',
    summary: 'Send many messages to one endpoint again: those that failed, or any filter',
    wakes: true,
    body: createReplayInput,
    output: replayOutput,
    audit: {
      entry({ input: { body }, result }) {
        // A dry run only counts.
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
    async verb(ctx, { body: { dry_run, filter, since, until, ...rest } }) {
      const { tx, actor, now } = ctx;
      const input = {
        ...givenFields(await withEndpoint(ctx, rest)),
        since: new Date(since),
        ...(until === undefined ? {} : { until: new Date(until) }),
        ...(filter === undefined ? {} : { filter: givenFields(filter) }),
      };
      const verb = dry_run ? previewReplay : createReplay;
      return verb(tx, actor.partnerId, input, now);
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
      listReplays(ctx.tx, ctx.actor.partnerId, givenFields(await withEndpoint(ctx, query))),
  }),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/replays/{id}',
    kind: 'query',
    summary: 'Read how far a replay is',
    params: byId,
    output: replayOutput,
    verb: (ctx, { params }) => getReplay(ctx.tx, ctx.actor.partnerId, params.id),
  }),
  control('pause', 'replay.paused', 'Pause a replay; what is being sent is finished'),
  control('resume', 'replay.resumed', 'Continue a paused replay'),
  control('cancel', 'replay.canceled', 'End a replay; what was sent stays sent'),
  route({
    ...webhooks,
    method: 'GET',
    path: '/webhooks/activity',
    kind: 'query',
    summary: 'Count attempts over time, in at most 120 steps',
    query: activityQuery,
    output: activityOutput,
    async verb(ctx, { query: { since, until, ...rest } }) {
      const { tx, actor, now } = ctx;
      const filter = await withEndpoint(ctx, rest);
      const window = {
        since: since === undefined ? new Date(now.getTime() - dayMs) : new Date(since),
        until: until === undefined ? now : new Date(until),
      };
      return listActivity(tx, actor.partnerId, { ...givenFields(filter), ...window }, now);
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
