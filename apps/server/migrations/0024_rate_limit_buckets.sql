-- The rate limits that all processes share; see apps/server/src/http/edge/rate-limit.ts. A row is
-- worth keeping only until its bucket is full again, so the table is unlogged: a crash or a failover
-- empties it, and each client starts with a full bucket.
-- oldest-service: 0.1.0
create unlogged table rate_limit_bucket (
  -- a hash: clients are addresses and session ids
  client text collate "C" primary key,
  -- below zero after the processes together admitted more requests than the limit
  tokens double precision not null,
  refilled_at timestamptz not null
);
