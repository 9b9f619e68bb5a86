-- Partitions webhook_attempts by the ids of their messages, with the bounds of webhook_messages: the
-- attempts of a message are dropped together with it.
--
-- The views are replaced before the old table is locked, because a query locks a view before its
-- tables. The other order could deadlock.
-- oldest-service: 0.2.0
-- contract: the table under the old name is another one. Every statement of 0.2.0 runs on it: the
-- columns, their order and the unique key are the same.
create table webhook_attempts_partitioned (
  owner text collate "C" not null,
  id text collate "C" not null
    constraint webhook_attempts_id_check check (starts_with(id, 'att_') and length(id) = 30),
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  trigger text not null
    constraint webhook_attempts_trigger_check
    check (trigger in ('schedule', 'manual', 'recover', 'test')),
  started_at timestamptz not null,
  status smallint,
  -- null: it succeeded
  error_class text,
  next_attempt_at timestamptz,
  -- what was sent, what came back and how long it took, as people are shown it
  detail json not null,
  constraint webhook_attempts_check
    check ((error_class is null) = (status is not null and status between 200 and 299))
) partition by range (message_id);

create or replace view webhook_deliveries_leased as
select l.id as lease_id, l.node, d.owner, d.message_id, d.endpoint_id, l.due_at
from webhook_leases l
cross join lateral unnest(l.owners, l.message_ids, l.endpoint_ids)
  as d(owner, message_id, endpoint_id)
-- "offset 0" keeps the planner from reading whole tables to find out about a few rows
where not exists (
    select from webhook_attempts_partitioned a
    where a.owner = d.owner and a.message_id = d.message_id and a.endpoint_id = d.endpoint_id
      and (a.trigger = 'schedule' or a.error_class is null) offset 0)
  and not exists (
    select from webhook_deliveries_open o
    where o.owner = d.owner and o.message_id = d.message_id and o.endpoint_id = d.endpoint_id
      and o.trigger = 'schedule' offset 0)
  and not exists (
    select from webhook_deliveries_undelivered u
    where u.owner = d.owner and u.message_id = d.message_id and u.endpoint_id = d.endpoint_id
    offset 0);

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
  case when e.state = 'enabled' and o.node is null then o.due_at end as next_attempt_at
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
  select from webhook_attempts_partitioned a
  where a.owner = u.owner and a.message_id = u.message_id and a.endpoint_id = u.endpoint_id
    and a.error_class is null)
union all
select distinct a.owner, a.message_id, a.endpoint_id,
  case when replay.message_id is null then 'delivered' else 'delivering' end, null, null::timestamptz
from webhook_attempts_partitioned a
left join webhook_deliveries_open replay on replay.owner = a.owner
  and replay.message_id = a.message_id and replay.endpoint_id = a.endpoint_id
  and replay.node is not null
where a.error_class is null;

alter table webhook_attempts rename to webhook_attempts_first;
alter table webhook_attempts_first
  rename constraint webhook_attempts_pkey to webhook_attempts_first_pkey;
alter index webhook_attempts_succeeded rename to webhook_attempts_first_succeeded;
alter index webhook_attempts_failed rename to webhook_attempts_first_failed;

alter table webhook_attempts_partitioned rename to webhook_attempts;
alter table webhook_attempts add primary key (message_id, owner, id);
create index webhook_attempts_succeeded on webhook_attempts (owner, endpoint_id, message_id)
  where error_class is null and trigger <> 'test';
create index webhook_attempts_failed on webhook_attempts (owner, endpoint_id, message_id)
  where error_class is not null and trigger <> 'test';

do $$
begin
  execute (
    select format(
      'alter table webhook_attempts attach partition webhook_attempts_first for values from (minvalue) to (%L)',
      substring(pg_get_constraintdef(oid) from 'evt_[0-9a-z]{26}'))
    from pg_constraint
    where conrelid = 'webhook_attempts_first'::regclass and conname = 'webhook_attempts_bound');
end
$$;
alter table webhook_attempts_first drop constraint webhook_attempts_bound;

create table webhook_attempts_default partition of webhook_attempts default;
