-- Operators' commands that move money, by the idempotency key that they were given: a repeated command
-- answers with the first result.
-- oldest-service: 0.2.0
create table operator_request (
  key text primary key,
  request_sha256 bytea not null,
  operator text not null,
  -- null until the command is done, in the same transaction
  result jsonb,
  created_at timestamptz not null
);
