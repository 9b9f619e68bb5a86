-- What partners get: named and rotated keys, a log of their calls, custom events, their brand, a go-live
-- checklist, and an outbox to another system that delivers webhooks.
-- oldest-service: 0.2.0

-- A key is valid until expires_at. A lane then sets revoked_at, so that services before 0.3.0 refuse the
-- key, too.
alter table api_key add column name text, add column expires_at timestamptz;

-- The calls of the partner API, for a week. Written in batches after the response; see
-- apps/server/src/http/request-log. Bodies contain only the fields of an allow-list.
create table request_log (
  partner_id text not null references partner (id),
  id text collate "C" not null check (id like 'req\_%'),
  key_id text not null,
  occurred_at timestamptz not null,
  method text not null,
  path text not null,
  status integer not null check (status between 100 and 599),
  duration_ms integer not null,
  code text,
  external_id text collate "C",
  user_agent text,
  query json not null,
  request_body json,
  error json,
  primary key (partner_id, id)
);
create index request_log_external_id on request_log (partner_id, external_id, id desc)
  where external_id is not null;
create index request_log_failed on request_log (partner_id, id desc) where status >= 400;
create index request_log_age on request_log (occurred_at);

-- The ids that partners give their custom events, so that publishing one twice sends it once.
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

-- The brand of a partner: accent, radius, font, theme, logo. Shown in the experience, mails and documents.
create table partner_appearance (
  partner_id text primary key references partner (id),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- in px
  radius integer check (radius between 0 and 24),
  -- a name of fontStacks in packages/contract/src/appearance.ts
  font text,
  theme text not null check (theme in ('light', 'dark', 'auto')),
  updated_at timestamptz not null
);

-- Logos and fonts. Replaced ones stay for a while, because mails that were sent show them.
create table partner_file (
  partner_id text not null references partner (id),
  kind text not null check (kind in ('logo', 'font')),
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bytea not null check (octet_length(bytes) between 1 and 204800),
  -- of a logo, in px
  width integer,
  height integer,
  -- null for the file in use
  replaced_at timestamptz,
  uploaded_at timestamptz not null,
  primary key (partner_id, kind, sha256),
  check ((kind = 'logo') = (width is not null and height is not null))
);
create unique index partner_file_in_use on partner_file (partner_id, kind) where replaced_at is null;

-- The marks of each partner's go-live checklist.
create table go_live_mark (
  partner_id text not null references partner (id),
  -- a name of goLiveItems in packages/contract/src/api/doctor.ts
  item text not null,
  marked_at timestamptz not null,
  primary key (partner_id, item)
);

-- One message that a destination does not have yet: written with the change that caused it, handed over by
-- the relay, and deleted once the destination has it. Empty unless such a destination is set up.
create table outbox_item (
  partner_id text collate "C" not null references partner (id),
  -- the name of a destination: svix
  destination text collate "C" not null check (destination ~ '^[a-z][a-z0-9_-]{0,31}$'),
  -- Items of a partner are handed over in this order.
  position bigint generated always as identity,
  message_id text collate "C" not null,
  state text not null default 'pending' check (state in ('pending', 'parked')),
  -- An earlier try ended without an answer, so the destination may have the message.
  outcome_unknown boolean not null default false,
  -- why the destination can never accept it, for the operator
  reason text,
  parked_at timestamptz,
  created_at timestamptz not null,
  primary key (partner_id, destination, position),
  check ((state = 'parked') = (reason is not null)),
  check ((state = 'parked') = (parked_at is not null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0);
-- Finds the partners with work without reading parked items.
create index outbox_item_pending on outbox_item (destination, partner_id, position)
  where state = 'pending';
-- Finds parked items, and the oldest message of each kind.
create index outbox_item_oldest on outbox_item (state, destination, message_id);

-- A partner's items of one destination, in order. The relay adds the row with the first lease.
create table outbox_stream (
  partner_id text collate "C" not null references partner (id),
  destination text collate "C" not null,
  -- not before this time, after a failure
  due_at timestamptz not null,
  -- Set while a process hands items over. A lease that expired was not released: its holder crashed.
  lease_owner text,
  lease_until timestamptz,
  -- Raised by each lease: what the holder of an earlier one records is ignored.
  epoch bigint not null default 0,
  -- in a row
  failures integer not null default 0,
  last_error text,
  -- When the destination last began to know the partner: the first message that it accepted. A Svix server
  -- without an application of such a partner had it, and somebody deleted it there with its endpoints.
  accepted_at timestamptz,
  primary key (partner_id, destination),
  check ((lease_owner is null) = (lease_until is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
