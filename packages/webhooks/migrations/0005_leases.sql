-- What one publish leased to its own process: one row, and none for each of its deliveries. One of
-- them has left the lease as soon as an attempt of it is stored, or a row of its own.
create table webhook_leases (
  id bigint generated always as identity primary key,
  node text collate "C" not null,
  lease_until timestamptz not null,
  due_at timestamptz not null,
  -- message × endpoint, one below the other
  message_ids text[] collate "C" not null,
  endpoint_ids text[] collate "C" not null,
  check (cardinality(message_ids) > 0 and cardinality(message_ids) = cardinality(endpoint_ids))
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

-- Those that have not left: they are being sent, or wait in their process to be.
create view webhook_deliveries_leased as
select l.id as lease_id, l.node, d.message_id, d.endpoint_id, l.due_at
from webhook_leases l
cross join lateral unnest(l.message_ids, l.endpoint_ids) as d(message_id, endpoint_id)
-- "offset 0" keeps the planner from reading whole tables to find out about a few rows
where not exists (
    select from webhook_attempts a
    where a.message_id = d.message_id and a.endpoint_id = d.endpoint_id
      and (a.trigger = 'schedule' or a.error_class is null) offset 0)
  and not exists (
    select from webhook_deliveries_open o
    where o.message_id = d.message_id and o.endpoint_id = d.endpoint_id
      and o.trigger = 'schedule' offset 0)
  and not exists (
    select from webhook_deliveries_undelivered u
    where u.message_id = d.message_id and u.endpoint_id = d.endpoint_id offset 0);

create or replace view webhook_deliveries as
select o.message_id, o.endpoint_id,
  case
    when e.state = 'deleted' then 'skipped'
    when o.node is not null then 'delivering'
    when e.state = 'disabled' then 'held'
    when o.step = 0 then 'pending'
    else 'retrying'
  end as state,
  case when e.state = 'deleted' then 'endpoint_deleted' end as reason,
  case when e.state = 'enabled' and o.node is null then o.due_at end as next_attempt_at
from webhook_deliveries_open o
join webhook_endpoints e on e.id = o.endpoint_id
where o.trigger = 'schedule'
union all
select l.message_id, l.endpoint_id,
  case when e.state = 'deleted' then 'skipped' else 'delivering' end,
  case when e.state = 'deleted' then 'endpoint_deleted' end, null
from webhook_deliveries_leased l
join webhook_endpoints e on e.id = l.endpoint_id
union all
select u.message_id, u.endpoint_id,
  case when replay.message_id is null then u.state else 'delivering' end, u.reason, null
from webhook_deliveries_undelivered u
left join webhook_deliveries_open replay on replay.message_id = u.message_id
  and replay.endpoint_id = u.endpoint_id and replay.node is not null
where not exists (
  select from webhook_attempts a
  where a.message_id = u.message_id and a.endpoint_id = u.endpoint_id and a.error_class is null)
union all
select distinct a.message_id, a.endpoint_id,
  case when replay.message_id is null then 'delivered' else 'delivering' end, null, null::timestamptz
from webhook_attempts a
left join webhook_deliveries_open replay on replay.message_id = a.message_id
  and replay.endpoint_id = a.endpoint_id and replay.node is not null
where a.error_class is null;
