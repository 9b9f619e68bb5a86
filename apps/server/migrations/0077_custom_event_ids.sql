-- The ids that partners give their custom events, so that publishing one twice sends it once.
-- oldest-service: 0.2.0
create table custom_event (
  partner_id text not null references partner (id),
  -- as the partner sent it
  event_id text collate "C" not null check (event_id ~ '^[A-Za-z0-9_.:-]{1,255}$'),
  message_id text not null,
  -- SHA-256 of everything that was published
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null,
  primary key (partner_id, event_id)
);
-- Finds those of messages that are no longer kept.
create index custom_event_created on custom_event (created_at);
