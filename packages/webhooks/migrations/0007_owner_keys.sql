-- The owner is in the key of every row that belongs to one, and foreign keys use the whole key. A
-- statement that forgets the owner then cannot reach another owner's row by a key. The keys also suit
-- two later steps: the tables can be distributed by owner, and messages, deliveries and attempts can be
-- partitioned by ranges of the message id, which sorts by time and is in each of their unique keys.
--
-- webhook_nodes and webhook_leases have no owner in their keys: a process and what it has leased in one
-- publish belong to that process, and a publish may hold messages of several owners. A lease lists
-- the owner of each of its deliveries, because it is a part of their keys.
--
-- Run this with the service stopped: earlier versions cannot run on this schema. Rows get their owner
-- from their endpoint, which is never deleted while they exist. 500,000 messages with an attempt each
-- took 18 s on two busy cores.
-- oldest-service: 0.2.0
-- contract: services before 0.2.0 do not write the owner into every row

drop view webhook_deliveries;
drop view webhook_deliveries_leased;

alter table webhook_secrets
  drop constraint webhook_secrets_endpoint_id_fkey,
  drop constraint webhook_secrets_pkey,
  add column owner text collate "C";
update webhook_secrets s set owner = e.owner from webhook_endpoints e where e.id = s.endpoint_id;
drop index webhook_secrets_current;

alter table webhook_deliveries_open
  drop constraint webhook_deliveries_open_pkey,
  add column owner text collate "C";
drop index webhook_deliveries_open_due;
drop index webhook_deliveries_open_pending;
drop index webhook_deliveries_open_retrying;
drop index webhook_deliveries_open_leased;
update webhook_deliveries_open o set owner = e.owner
from webhook_endpoints e where e.id = o.endpoint_id;

alter table webhook_deliveries_undelivered
  drop constraint webhook_deliveries_undelivered_pkey,
  add column owner text collate "C";
drop index webhook_deliveries_undelivered_by_state;
update webhook_deliveries_undelivered u set owner = e.owner
from webhook_endpoints e where e.id = u.endpoint_id;

-- The largest table is copied, because an update would leave it twice as large.
create table webhook_attempts_with_owner (
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
);
insert into webhook_attempts_with_owner
  (owner, id, message_id, endpoint_id, trigger, started_at, status, error_class, next_attempt_at, detail)
select e.owner, a.id, a.message_id, a.endpoint_id, a.trigger, a.started_at, a.status, a.error_class,
  a.next_attempt_at, a.detail
from webhook_attempts a join webhook_endpoints e on e.id = a.endpoint_id;
drop table webhook_attempts;
alter table webhook_attempts_with_owner rename to webhook_attempts;

alter table webhook_activity
  drop constraint webhook_activity_pkey,
  add column owner text collate "C";
update webhook_activity a set owner = e.owner from webhook_endpoints e where e.id = a.endpoint_id;

alter table webhook_last_failures
  drop constraint webhook_last_failures_pkey,
  add column owner text collate "C";
update webhook_last_failures f set owner = e.owner
from webhook_endpoints e where e.id = f.endpoint_id;

alter table webhook_replay_messages
  drop constraint webhook_replay_messages_replay_id_fkey,
  drop constraint webhook_replay_messages_pkey,
  add column owner text collate "C";
update webhook_replay_messages i set owner = r.owner from webhook_replays r where r.id = i.replay_id;

-- owners, message_ids and endpoint_ids: one below the other
alter table webhook_leases add column owners text[] collate "C";
update webhook_leases l set owners = (
  select array_agg(e.owner order by d.place)
  from unnest(l.endpoint_ids) with ordinality as d(endpoint_id, place)
  join webhook_endpoints e on e.id = d.endpoint_id);
alter table webhook_leases
  alter column owners set not null,
  add check (cardinality(owners) = cardinality(message_ids));

alter table webhook_endpoints
  drop constraint webhook_endpoints_pkey,
  add primary key (owner, id);
drop index webhook_endpoints_by_owner;
drop index webhook_endpoints_deleted;
create index webhook_endpoints_deleted on webhook_endpoints (owner, id) where state = 'deleted';

alter table webhook_secrets
  alter column owner set not null,
  add primary key (owner, endpoint_id, ordinal),
  add foreign key (owner, endpoint_id) references webhook_endpoints (owner, id) on delete cascade;
create unique index webhook_secrets_current on webhook_secrets (owner, endpoint_id)
  where expires_at is null;

-- The key replaces webhook_messages_newest. It includes `test`, which fits into the padding of an
-- entry, so that lists can leave out test sends without reading the messages.
alter table webhook_messages
  drop constraint webhook_messages_pkey,
  add primary key (owner, id) include (test);
drop index webhook_messages_newest;

alter table webhook_deliveries_open
  alter column owner set not null,
  add primary key (message_id, owner, endpoint_id, trigger);
create index webhook_deliveries_open_due on webhook_deliveries_open (owner, endpoint_id, due_at)
  where node is null;
create index webhook_deliveries_open_pending
  on webhook_deliveries_open (owner, endpoint_id, message_id)
  where lease_until is null and step = 0 and trigger = 'schedule';
create index webhook_deliveries_open_retrying
  on webhook_deliveries_open (owner, endpoint_id, message_id)
  where lease_until is null and step > 0;
create index webhook_deliveries_open_leased
  on webhook_deliveries_open (owner, endpoint_id, message_id)
  where lease_until is not null;

alter table webhook_deliveries_undelivered
  alter column owner set not null,
  add primary key (message_id, owner, endpoint_id);
create index webhook_deliveries_undelivered_by_state
  on webhook_deliveries_undelivered (owner, endpoint_id, state, message_id);

-- The message comes before the owner, here and above: ids sort by time, so a new entry goes to the last
-- page. With the owner first, traffic of 200 owners split pages in the middle, and an entry of this
-- key took 215 bytes instead of 120.
alter table webhook_attempts add primary key (message_id, owner, id);
create index webhook_attempts_succeeded on webhook_attempts (owner, endpoint_id, message_id)
  where error_class is null and trigger <> 'test';
create index webhook_attempts_failed on webhook_attempts (owner, endpoint_id, message_id)
  where error_class is not null and trigger <> 'test';

alter table webhook_activity
  alter column owner set not null,
  add primary key (owner, endpoint_id, step_seconds, at, duration);

alter table webhook_last_failures
  alter column owner set not null,
  add primary key (owner, endpoint_id);

alter table webhook_replays
  drop constraint webhook_replays_pkey,
  add primary key (owner, id);
drop index webhook_replays_newest;
drop index webhook_replays_unfinished;
create index webhook_replays_unfinished on webhook_replays (owner, endpoint_id, id)
  where finished_at is null;

alter table webhook_replay_messages
  alter column owner set not null,
  add primary key (owner, replay_id, message_id),
  add foreign key (owner, replay_id) references webhook_replays (owner, id) on delete cascade;

-- Deliveries under a publish lease: they are in flight, or wait in their process.
create view webhook_deliveries_leased as
select l.id as lease_id, l.node, d.owner, d.message_id, d.endpoint_id, l.due_at
from webhook_leases l
cross join lateral unnest(l.owners, l.message_ids, l.endpoint_ids)
  as d(owner, message_id, endpoint_id)
-- "offset 0" keeps the planner from reading whole tables to find out about a few rows
where not exists (
    select from webhook_attempts a
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

-- One row for each message × endpoint, wherever it is stored, with the state that people see.
create view webhook_deliveries as
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
