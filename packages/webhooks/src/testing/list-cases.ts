import type { Queryable } from '@svc/db';
import { listActivity } from '../activity/list-activity.ts';
import { listEndpoints } from '../endpoints/view-endpoint.ts';
import { writeCursor, writePlace } from '../messages/cursor.ts';
import { type AttemptQuery, findAttempts } from '../messages/find-attempts.ts';
import { listDeliveries } from '../messages/list-deliveries.ts';
import { listEvents } from '../messages/list-events.ts';
import { listMessages, type MessageQuery } from '../messages/list-messages.ts';
import type { SearchLimits } from '../messages/select-messages.ts';
import { previewReplay } from '../replay/create-replay.ts';
import type { ReplayedState } from '../replay/select-replayed.ts';
import type { History } from './store-history.ts';

/** A query that the API or the portal makes. */
export interface ListCase {
  readonly name: string;
  readonly ask: (q: Queryable) => Promise<unknown>;
}

type Part<Query> = readonly [name: string, query: Partial<Query>];
type Parts<Query> = readonly Part<Query>[];

/** Queries of messages with each filter alone, and with every combination of `size` filters. */
export function messageCases(history: History, size: number, search?: SearchLimits): ListCase[] {
  const { owner, now, quiet, failing, oldestId, middleId } = history;
  const half = new Date(now.getTime() - 40 * 86_400_000);
  const filters: Parts<MessageQuery>[] = [
    Object.entries({ quiet, failing }).map(([name, endpoint_id]) => [
      `${name} endpoint`,
      { endpoint_id },
    ]),
    states.map((state) => [state, { states: [state] }]),
    [
      ['rare type', { event_types: ['rare.type'] }],
      ['group', { event_types: ['rare.*'] }],
    ],
    [['busy tenant', { external_id: 't-busy' }]],
    [['channel', { channel: 'rare' }]],
    [
      ['since', { since: half }],
      ['until', { until: half }],
    ],
    [
      ['text', { text: 'needle' }],
      ['full id', { text: oldestId }],
    ],
    [['test sends', { test: true }]],
    [['second page', { cursor: writeCursor(middleId) }]],
  ];
  return combine(filters, size).map(([name, query]) => ({
    name: `messages: ${name}`,
    ask: (q) => listMessages(q, owner, { limit: 20, ...query }, search),
  }));
}

// Together these states cover every index of deliveries, and the publish leases.
const states = ['delivering', 'delivered', 'held', 'skipped', 'failed'] as const;

/** Queries of attempts with each filter alone, and with every combination of `size` filters. */
export function attemptCases(history: History, size: number, search?: SearchLimits): ListCase[] {
  const { owner, now, quiet, failing, middleId } = history;
  const half = new Date(now.getTime() - 40 * 86_400_000);
  const filters: Parts<AttemptQuery>[] = [
    Object.entries({ quiet, failing }).map(([name, endpoint_id]) => [
      `${name} endpoint`,
      { endpoint_id },
    ]),
    [
      ['succeeded', { succeeded: true }],
      ['failed', { succeeded: false }],
    ],
    [
      ['no such status', { status_class: '4xx' }],
      ['an error', { error_class: 'status' }],
    ],
    [['rare type', { event_types: ['rare.type'] }]],
    [['busy tenant', { external_id: 't-busy' }]],
    [['channel', { channel: 'rare' }]],
    [
      ['since', { since: half }],
      ['until', { until: half }],
    ],
    [['second page', { cursor: writePlace({ messageId: middleId, attemptId: '' }) }]],
  ];
  return combine(filters, size).map(([name, query]) => ({
    name: `attempts: ${name}`,
    ask: (q) => findAttempts(q, owner, { limit: 20, ...query }, search),
  }));
}

/** The other queries of messages, deliveries and counts. */
export function otherCases(history: History, mostCounted?: number): ListCase[] {
  const { owner, now, middleId, failing, quiet } = history;
  const since = new Date(now.getTime() - 80 * 86_400_000);
  const replayed: readonly ReplayedState[] = ['failed', 'delivered', 'never_attempted', 'skipped'];
  return [
    { name: 'events', ask: (q) => listEvents(q, owner, null, 100) },
    { name: 'events after one', ask: (q) => listEvents(q, owner, middleId, 100) },
    { name: 'activity', ask: (q) => listActivity(q, owner, { since, until: now }, now) },
    {
      name: 'deliveries, failures first',
      ask: (q) => listDeliveries(q, owner, { limit: 20, order: 'failures_first' }),
    },
    ...replayed.map((state) => ({
      name: `replay preview: busy tenant, ${state}, 5xx`,
      ask: (q: Queryable) =>
        previewReplay(
          q,
          owner,
          {
            endpoint_id: failing,
            since,
            filter: { states: [state], external_id: 't-busy', status_class: '5xx' },
          },
          now,
          mostCounted === undefined ? {} : { most: mostCounted },
        ),
    })),
    ...replayed.flatMap((state) =>
      Object.entries({ failing, quiet }).map(([name, endpoint_id]) => ({
        name: `replay preview: ${name} endpoint, ${state}`,
        ask: (q: Queryable) =>
          previewReplay(
            q,
            owner,
            { endpoint_id, since, filter: { states: [state] } },
            now,
            mostCounted === undefined ? {} : { most: mostCounted },
          ),
      })),
    ),
  ];
}

/** Combinations of up to `size` filters, with one value of each. */
function combine<Query>(filters: readonly Parts<Query>[], size: number): Part<Query>[] {
  const grow = (from: number, left: number): Part<Query>[] =>
    left === 0
      ? []
      : filters
          .slice(from)
          .flatMap((values, index) =>
            values.flatMap((value) => [
              value,
              ...grow(from + index + 1, left - 1).map(
                ([name, query]): Part<Query> => [`${value[0]}, ${name}`, { ...value[1], ...query }],
              ),
            ]),
          );
  return [['no filter', {}], ...grow(0, size)];
}

/** Counts held deliveries one by one, up to 10,000. */
export function endpointsCase({ owner }: History): ListCase {
  return { name: 'endpoints', ask: (q) => listEndpoints(q, owner) };
}
