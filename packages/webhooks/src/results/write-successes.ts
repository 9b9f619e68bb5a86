import { type Queryable, type RowOf, raw, row, sql, text, textColumn, timeColumn } from '@svc/db';
import { newId } from '../kernel/ids.ts';
import type { Result } from '../messages/attempt-detail.ts';
import { attemptDetail } from '../messages/attempt-detail.ts';

/** Identifies one delivery. */
const keyRow = row('delivery key', { owner: text, message_id: text, endpoint_id: text });
export type DeliveryKey = RowOf<typeof keyRow>;

export type SuccessRow = ReturnType<typeof successRow>;

export function successRow(result: Result) {
  const { claimed, outcome } = result;
  return {
    owner: claimed.owner,
    id: newId('att', outcome.endedAt),
    message_id: claimed.messageId,
    endpoint_id: claimed.endpointId,
    trigger: claimed.trigger,
    lease: claimed.lease,
    started_at: outcome.startedAt,
    status: outcome.status,
    detail: JSON.stringify(attemptDetail(result)),
  };
}

// Only a batch that is written again can have attempts that are stored already. Checking every batch would
// add a third to the cost of storing an attempt.
const unlessStored = raw('on conflict (message_id, owner, id) do nothing');

// The table of open deliveries is empty most of the time, and millions of rows long in a backlog. A
// batch under publish leases reads none of it, and keeps its plan.
const readsOpenRows = raw('/* planned each time */');

/**
 * Writes successful attempts and ends their deliveries, in one statement and commit. Returns the
 * deliveries that had been exhausted before, and were recovered by a replay.
 *
 * Unlike a failure, a 2xx counts even if the lease is stale: the receiver has the message, whoever
 * has claimed the delivery since. A success of a replay also cancels the pending retry. A delivery
 * under a publish lease that still stands has no open row to delete; its stored attempt ends it.
 *
 * Locks: rows of webhook_leases, webhook_deliveries_open, webhook_deliveries_undelivered,
 * webhook_endpoints.
 */
export async function writeSuccesses(
  q: Queryable,
  rows: readonly SuccessRow[],
  again: boolean,
): Promise<DeliveryKey[]> {
  const leases = [...new Set(rows.flatMap(({ lease }) => lease?.id ?? []))];
  const column = (pick: (row: SuccessRow) => string | null) => textColumn(rows.map(pick));
  // The condition on status in "single" is true of every row. Without it the planner expects a hundred
  // rows, whatever their number, and reads the whole table of open deliveries instead of its index.
  return q.many(
    keyRow,
    sql`
    ${rows.some(({ lease }) => lease === null) ? readsOpenRows : raw('')}
    with result as materialized (
      select unnest(${column(({ owner }) => owner)}::text[]) as owner,
        unnest(${column(({ id }) => id)}::text[]) as id,
        unnest(${column(({ message_id }) => message_id)}::text[]) as message_id,
        unnest(${column(({ endpoint_id }) => endpoint_id)}::text[]) as endpoint_id,
        unnest(${column(({ trigger }) => trigger)}::text[]) as trigger,
        unnest(${timeColumn(rows.map(({ started_at }) => started_at))}::timestamptz[])
          as started_at,
        unnest(${column(({ status }) => String(status))}::text[])::smallint as status,
        unnest(${column(({ lease }) => (lease ? String(lease.id) : null))}::text[])::bigint as lease_id,
        unnest(${column(({ detail }) => detail)}::text[])::json as detail
    ), lease as materialized (
      -- locked: should a lease expire now, its expiry waits, and then finds these attempts
      select id from webhook_leases where id = any(${leases}::bigint[]) order by id for key share
    ), single as materialized (
      select owner, message_id, endpoint_id, trigger from result r
      where r.status between 200 and 299
        and (r.lease_id is null or r.lease_id not in (select id from lease))
    ), attempt as (
      insert into webhook_attempts
        (owner, id, message_id, endpoint_id, trigger, started_at, status, detail)
      select owner, id, message_id, endpoint_id, trigger, started_at, status, detail from result
      ${again ? unlessStored : raw('')}
    ), ended as (
      delete from webhook_deliveries_open o using single r
      where o.owner = r.owner and o.message_id = r.message_id
        and o.endpoint_id = r.endpoint_id and o.trigger in (r.trigger, 'schedule')
    ), recovering as (
      -- locked in the order of the keys, so that two batches cannot deadlock
      update webhook_endpoints set failing_since = null where (owner, id) in (
        select e.owner, e.id from webhook_endpoints e
        where (e.owner, e.id) in (select owner, endpoint_id from result)
          and e.failing_since is not null
        order by e.owner, e.id for update)
    ), recovered as (
      delete from webhook_deliveries_undelivered u using single r
      where u.owner = r.owner and u.message_id = r.message_id and u.endpoint_id = r.endpoint_id
      returning u.owner, u.message_id, u.endpoint_id, u.state
    )
    select owner, message_id, endpoint_id from recovered where state = 'exhausted'`,
  );
}
