-- Since then the body is empty, for good.
alter table webhook_messages add column expunged_at timestamptz;
create index webhook_messages_expunged on webhook_messages (expunged_at)
  where expunged_at is not null;

-- Sent only to endpoints that name one of them, or none; null: to every endpoint without channels.
alter table webhook_messages
  add column channels text[] check (cardinality(channels) between 1 and 10);
alter table webhook_endpoints
  add column channels text[] check (cardinality(channels) between 1 and 10);

-- The owner's own name for it, to be used wherever the id is.
alter table webhook_endpoints
  add column uid text collate "C" check (uid ~ '^[A-Za-z0-9_.-]{1,100}$' and uid !~ '^ep_');
create unique index webhook_endpoints_by_uid on webhook_endpoints (owner, uid)
  where uid is not null and state <> 'deleted';
