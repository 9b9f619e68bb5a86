-- Ids sort by time and are compared byte by byte; collation "C" keeps that cheap.

create table webhook_endpoints (
  id text collate "C" primary key check (id ~ '^ep_[0-9a-z]{26}$'),
  owner text collate "C" not null check (owner <> ''),
  url text not null check (length(url) between 1 and 2048),
  description text check (length(description) between 1 and 500),
  -- null: every type; otherwise exact names and groups such as 'plan.*'
  event_types text[] check (cardinality(event_types) between 1 and 100),
  state text not null default 'enabled' check (state in ('enabled', 'disabled', 'deleted')),
  disabled_reason text,
  auth_type text not null default 'none' check (auth_type in ('none', 'basic', 'header')),
  -- user name or header name; the secret half is sealed
  auth_name text,
  sealed_auth bytea,
  header_names text[] not null default '{}' check (cardinality(header_names) <= 20),
  sealed_headers bytea,
  throttle_per_second integer check (throttle_per_second between 1 and 10000),
  disable_on_gone boolean not null default false,
  -- end of the first failed attempt since the last success
  failing_since timestamptz,
  -- rises with every change of the settings, so that a running engine notices
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((auth_type = 'none') = (auth_name is null)),
  check (auth_name is not null or sealed_auth is null)
);

create index webhook_endpoints_by_owner on webhook_endpoints (owner, id);
create index webhook_endpoints_deleted on webhook_endpoints (id) where state = 'deleted';

create table webhook_secrets (
  endpoint_id text collate "C" not null references webhook_endpoints (id) on delete cascade,
  ordinal integer not null check (ordinal > 0),
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (endpoint_id, ordinal)
);

create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null;

create table webhook_messages (
  id text collate "C" primary key check (starts_with(id, 'evt_') and length(id) = 30),
  -- order of insertion inside one transaction
  sequence bigint generated always as identity,
  -- the transaction that inserted it: the feed shows a message once no older one is still open
  inserted_by xid8 not null default pg_current_xact_id(),
  owner text collate "C" not null check (owner <> ''),
  subject text collate "C",
  type text collate "C" not null check (type <> ''),
  body text not null,
  custom boolean not null default false,
  operational boolean not null default false,
  test boolean not null default false,
  created_at timestamptz not null
);

create index webhook_messages_newest on webhook_messages (owner, id) where not test;
create index webhook_messages_by_subject on webhook_messages (owner, subject, id)
  where subject is not null and not test;
create index webhook_messages_feed on webhook_messages (owner, inserted_by, sequence) where not test;

-- What is still to be sent, and nothing else: inserted, updated a few times, deleted. No foreign
-- keys, since each insert would lock the endpoint's row; what a deleted endpoint leaves is swept.
create table webhook_deliveries_open (
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- 'schedule' is the delivery itself; the others are one extra attempt beside it
  trigger text collate "C" not null default 'schedule'
    check (trigger in ('schedule', 'manual', 'recover')),
  due_at timestamptz not null,
  -- attempts of the schedule that have failed
  step smallint not null default 0 check (step between 0 and 7),
  -- rises with each claim: a result of an older claim is told apart
  epoch integer not null default 0,
  node text collate "C",
  lease_until timestamptz,
  primary key (message_id, endpoint_id, trigger),
  check (trigger = 'schedule' or step = 0),
  check ((node is null) = (lease_until is null))
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 20000
);

-- Only what nobody holds: a delivery that is leased as it is published never enters it.
create index webhook_deliveries_open_due on webhook_deliveries_open (endpoint_id, due_at)
  where node is null;

-- For lists by state, newest first.
create index webhook_deliveries_open_newest on webhook_deliveries_open (endpoint_id, message_id)
  where node is null;

-- Deliveries that ended without success; a delivered one is known by its successful attempt.
create table webhook_deliveries_undelivered (
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  state text not null check (state in ('exhausted', 'skipped')),
  reason text,
  ended_at timestamptz not null,
  primary key (message_id, endpoint_id),
  check ((state = 'skipped') = (reason is not null))
);

create index webhook_deliveries_undelivered_by_endpoint
  on webhook_deliveries_undelivered (endpoint_id, message_id);

-- Append-only history. No foreign key to the message: each check would write to its row.
create table webhook_attempts (
  id text collate "C" not null check (starts_with(id, 'att_') and length(id) = 30),
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  trigger text not null check (trigger in ('schedule', 'manual', 'recover', 'test')),
  started_at timestamptz not null,
  status smallint,
  -- null: it succeeded
  error_class text,
  next_attempt_at timestamptz,
  -- what was sent, what came back and how long it took, as people are shown it
  detail json not null,
  primary key (message_id, id),
  check ((error_class is null) = (status is not null and status between 200 and 299))
);

-- Processes that send; one that stopped beating is dead and its leases are taken over.
create table webhook_nodes (
  id text collate "C" primary key,
  beat_at timestamptz not null
);

-- One row for each message × endpoint, wherever it is stored, with the state that people see.
create view webhook_deliveries as
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
