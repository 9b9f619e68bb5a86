import { oneOf, type Queryable, row, sql, type Tx } from '@svc/db';
import { checkEventTypes } from '../endpoints/settings.ts';
import { newId } from '../kernel/ids.ts';
import { limits } from '../kernel/limits.ts';
import { EngineRefusal, endpointDisabled, endpointNotFound } from '../kernel/refusal.ts';
import type { StatusClass } from '../kernel/status-class.ts';
import { defaultTuning } from '../kernel/tuning.ts';
import type { ErrorClass } from '../sending/describe-attempt.ts';
import {
  countReplayed,
  mostCounted,
  mostCountedWithResult,
  type Replayed,
  type ReplayedState,
  stepEnd,
  stepEndRow,
  totalRow,
} from './select-replayed.ts';
import { getReplay, type ReplayView } from './view-replay.ts';

export interface ReplayInput {
  readonly endpoint_id: string;
  /** Messages created at or after this time. */
  readonly since: Date;
  /** Messages created before this time. Default: now. */
  readonly until?: Date;
  readonly filter?: {
    /** Default: `failed`. */
    readonly states?: readonly ReplayedState[];
    /** Exact names and groups. Default: every type. */
    readonly event_types?: readonly string[];
    /** The status of the last attempt at the endpoint. */
    readonly status_class?: StatusClass;
    /** Why the last attempt at the endpoint failed. */
    readonly error_class?: ErrorClass;
    /** Messages about this tenant. */
    readonly external_id?: string;
    readonly channel?: string;
  };
  /** The most attempts per second. Default: as many as the endpoint can take. */
  readonly rate_per_second?: number;
}

export interface ReplayOptions {
  /** How long messages are kept; the engine's `retentionMs`. */
  readonly retentionMs?: number;
}

/**
 * Creates a replay of many messages to one endpoint: one extra attempt (`recover`) for each, oldest
 * first. It survives restarts. It begins within a second, or at once if `engine.wake()` is called after
 * the commit. Replays of one endpoint run one after the other. Locks: the endpoint's row, shared.
 */
export async function createReplay(
  tx: Tx,
  owner: string,
  input: ReplayInput,
  now: Date,
  options: ReplayOptions = {},
): Promise<ReplayView> {
  const replayed = checkInput(owner, input, now, options);
  const state = await endpointState(tx, owner, input.endpoint_id);
  if (state === 'disabled') throw endpointDisabled();
  const total = await countMessages(tx, replayed, limitOf(replayed));
  const id = newId('rpl', now);
  await tx.run(sql`
    insert into webhook_replays (id, owner, endpoint_id, since, until, states, event_types,
      status_class, error_class, subject, channel, rate_per_second, paced_until, total, created_at)
    values (${id}, ${owner}, ${replayed.endpoint_id}, ${replayed.since}::timestamptz,
      ${replayed.until}::timestamptz, ${replayed.states}::text[], ${replayed.event_types}::text[],
      ${replayed.status_class}, ${replayed.error_class}, ${replayed.subject}, ${replayed.channel},
      ${checkRate(input.rate_per_second)}::int, ${now}::timestamptz, ${total},
      ${now}::timestamptz)`);
  return getReplay(tx, owner, id);
}

/** Returns what `createReplay` would return, with `id` null, and creates nothing. */
export async function previewReplay(
  q: Queryable,
  owner: string,
  input: ReplayInput,
  now: Date,
  { most, ...options }: ReplayOptions & { readonly most?: number } = {},
): Promise<ReplayView> {
  const replayed = checkInput(owner, input, now, options);
  await endpointState(q, owner, input.endpoint_id);
  const total = await countMessages(q, replayed, most ?? limitOf(replayed));
  return {
    id: null,
    endpoint_id: replayed.endpoint_id,
    since: replayed.since.toISOString(),
    until: replayed.until.toISOString(),
    filter: {
      states: [...replayed.states],
      event_types: replayed.event_types && [...replayed.event_types],
      status_class: replayed.status_class,
      error_class: replayed.error_class,
      external_id: replayed.subject,
      channel: replayed.channel,
    },
    state: 'running',
    total,
    replayed: 0,
    delivered: 0,
    failed: 0,
    rate_per_second: checkRate(input.rate_per_second),
    created_at: now.toISOString(),
    finished_at: null,
  };
}

function limitOf({ status_class, error_class }: Replayed): number {
  return status_class === null && error_class === null ? mostCounted : mostCountedWithResult;
}

async function countMessages(q: Queryable, replayed: Replayed, most: number): Promise<number> {
  const end = await q.one(stepEndRow, stepEnd(replayed, null, most));
  const { total } = await q.one(totalRow, countReplayed(replayed, end.id));
  return total;
}

function checkInput(
  owner: string,
  input: ReplayInput,
  now: Date,
  { retentionMs = defaultTuning.retentionMs }: ReplayOptions,
): Replayed {
  const { endpoint_id, since, until = now, filter = {} } = input;
  if (since >= until) {
    throw new EngineRefusal('invalid_window', 'since must be before until, and in the past.');
  }
  if (now.getTime() - since.getTime() > retentionMs + dayMs) {
    throw new EngineRefusal(
      'invalid_window',
      `Messages are kept for ${Math.round(retentionMs / dayMs)} days: choose a later since.`,
    );
  }
  return {
    owner,
    endpoint_id,
    since,
    until,
    states: [...new Set(filter.states ?? (['failed'] as const))],
    event_types: checkEventTypes(filter.event_types),
    status_class: filter.status_class ?? null,
    error_class: filter.error_class ?? null,
    subject: filter.external_id ?? null,
    channel: filter.channel ?? null,
  };
}

const dayMs = 86_400_000;

function checkRate(perSecond: number | undefined): number | null {
  if (perSecond === undefined) return null;
  const most = limits.throttlePerSecond;
  if (Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= most) return perSecond;
  throw new EngineRefusal(
    'invalid_throttle',
    `rate_per_second is a whole number from 1 to ${most}.`,
    'rate_per_second',
  );
}

const endpointStateRow = row('endpoint state', { state: oneOf('enabled', 'disabled') });

/** Reads the endpoint's state, and locks its row for share so that it stays as it is until the commit. */
async function endpointState(
  q: Queryable,
  owner: string,
  id: string,
): Promise<'enabled' | 'disabled'> {
  const endpoint = await q.maybe(
    endpointStateRow,
    sql`
    select state from webhook_endpoints
    where owner = ${owner} and id = ${id} and state <> 'deleted' for share`,
  );
  if (!endpoint) throw endpointNotFound();
  return endpoint.state;
}
