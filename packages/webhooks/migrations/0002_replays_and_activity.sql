-- A bulk replay: found, sent and counted in small steps, each of them one transaction.
create table webhook_replays (
  id text collate "C" primary key check (id ~ '^rpl_[0-9a-z]{26}$'),
  owner text collate "C" not null check (owner <> ''),
  endpoint_id text collate "C" not null,
  -- of messages created from … to before …
  since timestamptz not null,
  until timestamptz not null,
  states text[] not null check (
    cardinality(states) > 0
    and states <@ array['failed', 'delivered', 'never_attempted', 'skipped']),
  event_types text[] check (cardinality(event_types) between 1 and 100),
  rate_per_second integer check (rate_per_second between 1 and 10000),
  state text not null default 'running'
    check (state in ('running', 'paused', 'canceled', 'completed')),
  -- messages up to this id were looked at; null: none yet
  reached text collate "C" check (reached = 'all' or reached like 'evt\_%'),
  -- until then the rate is used up
  paced_until timestamptz not null,
  total integer not null check (total >= 0),
  replayed integer not null default 0 check (replayed >= 0),
  delivered integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  check (since < until),
  check (finished_at is null or state in ('canceled', 'completed')),
  check (delivered + failed <= replayed)
);

create index webhook_replays_newest on webhook_replays (owner, id);
create index webhook_replays_unfinished on webhook_replays (endpoint_id, id)
  where finished_at is null;

-- What a replay has under way: few at a time, so that what is new does not queue behind it.
create table webhook_replay_messages (
  replay_id text collate "C" not null references webhook_replays (id) on delete cascade,
  message_id text collate "C" not null,
  -- null: taken back by a pause
  sent_at timestamptz,
  primary key (replay_id, message_id)
);

-- How attempts went, counted by minute, hour and day: for charts, so that nobody has to read the
-- attempts themselves. Tests are not counted.
create table webhook_activity (
  endpoint_id text collate "C" not null,
  step_seconds integer not null check (step_seconds in (60, 3600, 86400)),
  at timestamptz not null,
  -- class of the attempt's duration
  duration smallint not null,
  delivered integer not null,
  failed integer not null,
  primary key (endpoint_id, step_seconds, at, duration)
);

create index webhook_activity_oldest on webhook_activity (step_seconds, at);

create table webhook_last_failures (
  endpoint_id text collate "C" primary key,
  at timestamptz not null,
  error_class text not null,
  status smallint,
  hint text not null
);

-- When its owner was last warned that it will be disabled.
alter table webhook_endpoints add column failing_warned_at timestamptz;
