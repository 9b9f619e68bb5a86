-- The messages that another system delivers: written with the change that caused them, and handed over
-- by the relay. Empty unless such a system is set up.
-- oldest-service: 0.2.0

-- One message that a destination does not have yet. The row is deleted once it has.
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
  primary key (partner_id, destination),
  check ((lease_owner is null) = (lease_until is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
