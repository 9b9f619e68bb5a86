-- Commands of operators that wait for a second person, and what one person has moved without one.
-- oldest-service: 0.2.0
create table approval (
  id text primary key,
  -- the command with its input, whose order the hash of an idempotency key covers
  request json not null,
  -- over the request, its key and its facts: a repeated request finds the open one
  request_sha256 bytea not null,
  -- the idempotency key that the command was given
  key text,
  -- what the command would have changed when it was requested, and must still change when it is approved
  facts jsonb not null,
  requested_by text not null,
  requested_role text not null,
  -- who that is in the console; null on the command line
  operator_id text references operator (id),
  reason text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  -- `running`: a command that opens its own transactions; `bypassed`: done without a second person
  state text not null check (state in ('open', 'running', 'done', 'refused', 'bypassed')),
  decided_by text,
  decided_at timestamptz,
  -- why it was refused
  answer text,
  check ((state = 'open') = (decided_by is null)),
  check ((state = 'open') = (decided_at is null)),
  check (state <> 'done' or decided_by <> requested_by)
);
create unique index approval_open on approval (requested_by, request_sha256) where state = 'open';
create index approval_newest on approval (requested_at);

create table unapproved_amount (
  id text primary key,
  operator text not null,
  command text not null,
  amount_in_cents bigint not null check (amount_in_cents >= 0),
  moved_at timestamptz not null
);
create index unapproved_amount_operator on unapproved_amount (operator, moved_at);
