import type { Queryable } from '@svc/db';
import type { Trigger } from '../kernel/claimed.ts';
import { retrySchedule } from '../kernel/retry-schedule.ts';
import type { ErrorClass } from '../sending/describe-attempt.ts';
import {
  type FailuresFirst,
  readFailuresFirst,
  readPlace,
  writeFailuresFirst,
  writePlace,
} from './cursor.ts';
import type { SearchedPage } from './list-messages.ts';
import { type AttemptFilter, type ListedAttempt, readAttempts } from './read-attempts.ts';
import { searchLimits } from './select-messages.ts';
import { viewAttempt } from './view-attempt.ts';

export interface DeliveryQuery extends AttemptFilter {
  /** Default: `newest`. `failures_first` lists all failures before the first success. */
  readonly order?: 'newest' | 'failures_first';
  readonly cursor?: string;
  readonly limit: number;
}

/** One attempt of a delivery as a row of a table: what was sent where, and the result. */
export interface DeliveryAttemptView {
  /** The id of the attempt. */
  readonly id: string;
  readonly started_at: string;
  readonly succeeded: boolean;
  readonly status: number | null;
  readonly error_class: ErrorClass | null;
  /** The error message of the network. */
  readonly error: string | null;
  /** A sentence that says what went wrong and what to change. */
  readonly hint: string | null;
  readonly duration_in_ms: number;
  /** Its number in the retry schedule; null for one that was sent by hand or by a replay. */
  readonly attempt: number | null;
  /** The length of the retry schedule. */
  readonly max_attempts: number;
  readonly next_attempt_at: string | null;
  readonly trigger: Trigger | 'test';
  readonly endpoint_id: string;
  /** The address that it was sent to, which the endpoint may no longer have. */
  readonly url: string;
  readonly message_id: string;
  readonly event_type: string;
  readonly external_id: string | null;
  readonly channels: string[] | null;
}

/**
 * Lists attempts with the facts of their messages, newest message first. Pages are like those of
 * `findAttempts`. With `failures_first`, the failures end before the successes begin; the page in
 * between has both.
 */
export async function listDeliveries(
  q: Queryable,
  owner: string,
  { order = 'newest', cursor, limit, ...filter }: DeliveryQuery,
  search = searchLimits,
): Promise<SearchedPage<DeliveryAttemptView>> {
  if (order === 'newest') {
    const start = cursor === undefined ? null : readPlace(cursor);
    const page = await readAttempts(q, owner, { filter, start, limit, search });
    return pageOf(page.rows, page.end && writePlace(page.end), page.searched_back_to);
  }
  const from: FailuresFirst =
    cursor === undefined ? { part: 'failures', place: null } : readFailuresFirst(cursor);
  const failures =
    from.part === 'failures' && filter.succeeded !== true
      ? await readAttempts(q, owner, {
          filter: { ...filter, succeeded: false },
          start: from.place,
          limit,
          search,
        })
      : null;
  if (failures?.end) {
    const next = writeFailuresFirst({ part: 'failures', place: failures.end });
    return pageOf(failures.rows, next, failures.searched_back_to);
  }
  const found = failures?.rows ?? [];
  if (filter.succeeded === false) return pageOf(found, null, null);
  if (found.length === limit) {
    return pageOf(found, writeFailuresFirst({ part: 'successes', place: null }), null);
  }
  const successes = await readAttempts(q, owner, {
    filter: { ...filter, succeeded: true },
    start: from.part === 'successes' ? from.place : null,
    limit: limit - found.length,
    search,
  });
  const end = successes.end && writeFailuresFirst({ part: 'successes', place: successes.end });
  return pageOf([...found, ...successes.rows], end, successes.searched_back_to);
}

function pageOf(
  rows: readonly ListedAttempt[],
  next_cursor: string | null,
  searched_back_to: string | null,
): SearchedPage<DeliveryAttemptView> {
  return { items: rows.map(viewDelivery), next_cursor, searched_back_to };
}

function viewDelivery(row: ListedAttempt): DeliveryAttemptView {
  const { scheduled, event_type, external_id, channels } = row;
  const view = viewAttempt(row);
  const { id, started_at, succeeded, status, error_class, error, hint, trigger } = view;
  return {
    id,
    started_at,
    succeeded,
    status,
    error_class,
    error,
    hint,
    duration_in_ms: view.timing_in_ms.total,
    attempt: trigger === 'schedule' ? scheduled : null,
    max_attempts: retrySchedule.length,
    next_attempt_at: view.next_attempt_at,
    trigger,
    endpoint_id: view.endpoint_id,
    url: view.url,
    message_id: view.message_id,
    event_type,
    external_id,
    channels,
  };
}
