import { type Queryable, sql } from '@svc/db';
import type { Claimed } from './claimed.ts';

/** Gives leases back unused: the deliveries are due as before. Answers how many there were. */
export async function release(db: Queryable, unused: readonly Claimed[]): Promise<number> {
  if (unused.length === 0) return 0;
  const { count } = await db.one<{ count: number }>(sql`
    with unused as materialized (
      select * from unnest(${unused.map((item) => item.messageId)}::text[],
        ${unused.map((item) => item.endpointId)}::text[],
        ${unused.map((item) => item.trigger)}::text[],
        ${unused.map((item) => item.epoch)}::int[],
        ${unused.map((item) => item.lease?.id ?? null)}::bigint[])
        as u(message_id, endpoint_id, trigger, epoch, lease_id)
    ), freed as (
      update webhook_deliveries_open o set node = null, lease_until = null
      from unused u
      where u.lease_id is null and o.message_id = u.message_id
        and o.endpoint_id = u.endpoint_id and o.trigger = u.trigger and o.epoch = u.epoch
      returning 1
    ), lease as materialized (
      select id, due_at from webhook_leases where id in (select lease_id from unused)
      order by id for key share
    ), left_lease as (
      insert into webhook_deliveries_open (message_id, endpoint_id, due_at)
      select u.message_id, u.endpoint_id, l.due_at from unused u join lease l on l.id = u.lease_id
      where not exists (
        select from webhook_attempts a where a.message_id = u.message_id
          and a.endpoint_id = u.endpoint_id and a.error_class is null offset 0)
      on conflict (message_id, endpoint_id, trigger) do nothing
      returning 1
    )
    select (select count(*) from freed) + (select count(*) from left_lease) as count`);
  return count;
}
