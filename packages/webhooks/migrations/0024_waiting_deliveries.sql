-- A delivery that waits for an earlier one of its lane has no time for its next attempt yet.
-- oldest-service: 0.2.0
create or replace view webhook_deliveries as
select o.owner, o.message_id, o.endpoint_id,
  case
    when e.state = 'deleted' then 'skipped'
    when o.node is not null then 'delivering'
    when e.state = 'disabled' then 'held'
    when o.step = 0 then 'pending'
    else 'retrying'
  end as state,
  case when e.state = 'deleted' then 'endpoint_deleted' end as reason,
  case when e.state = 'enabled' and o.node is null and o.due_at < '9999-01-01 00:00:00+00' then o.due_at end
    as next_attempt_at
from webhook_deliveries_open o
join webhook_endpoints e on e.owner = o.owner and e.id = o.endpoint_id
where o.trigger = 'schedule'
union all
select l.owner, l.message_id, l.endpoint_id,
  case when e.state = 'deleted' then 'skipped' else 'delivering' end,
  case when e.state = 'deleted' then 'endpoint_deleted' end, null
from webhook_deliveries_leased l
join webhook_endpoints e on e.owner = l.owner and e.id = l.endpoint_id
union all
select u.owner, u.message_id, u.endpoint_id,
  case when replay.message_id is null then u.state else 'delivering' end, u.reason, null
from webhook_deliveries_undelivered u
left join webhook_deliveries_open replay on replay.owner = u.owner
  and replay.message_id = u.message_id and replay.endpoint_id = u.endpoint_id
  and replay.node is not null
where not exists (
  select from webhook_attempts a
  where a.owner = u.owner and a.message_id = u.message_id and a.endpoint_id = u.endpoint_id
    and a.error_class is null)
union all
select distinct a.owner, a.message_id, a.endpoint_id,
  case when replay.message_id is null then 'delivered' else 'delivering' end, null, null::timestamptz
from webhook_attempts a
left join webhook_deliveries_open replay on replay.owner = a.owner
  and replay.message_id = a.message_id and replay.endpoint_id = a.endpoint_id
  and replay.node is not null
where a.error_class is null;
