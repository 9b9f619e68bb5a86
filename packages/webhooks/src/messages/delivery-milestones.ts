import { boolean, type Queryable, row, sql } from '@svc/db';

const milestonesRow = row('delivery milestones', { delivered: boolean, recovered: boolean });

// Bounds the work for an owner whose endpoint has failed for months.
const mostFailures = 1_000;

/**
 * Reads whether a message was ever delivered to the owner, and whether one was delivered by a retry after
 * the endpoint had answered 5xx. Test sends do not count.
 */
export function readDeliveryMilestones(
  q: Queryable,
  owner: string,
): Promise<{ delivered: boolean; recovered: boolean }> {
  return q.one(
    milestonesRow,
    sql`
    with failed as (
      select a.message_id, a.endpoint_id from webhook_attempts a
      where a.owner = ${owner} and a.error_class is not null and a.trigger <> 'test'
        and a.status >= 500
      limit ${mostFailures}
    )
    select
      exists (select from webhook_attempts a
        where a.owner = ${owner} and a.error_class is null and a.trigger <> 'test') as delivered,
      exists (select from failed f join webhook_attempts a
        on a.owner = ${owner} and a.endpoint_id = f.endpoint_id and a.message_id = f.message_id
        where a.error_class is null and a.trigger <> 'test') as recovered`,
  );
}
