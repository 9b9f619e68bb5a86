-- What the sandbox's processor, banks and payout rail know. Only they read it.
-- oldest-service: 0.2.0
create table simulator_call (
  partner_id text not null,
  key text not null,
  tenant_id text not null,
  kind text not null check (kind in ('charge', 'refund')),
  of_key text,
  account text,
  amount_in_cents bigint not null,
  state text not null check (state in ('processing', 'succeeded', 'failed')),
  return_code text,
  created_at timestamptz not null,
  primary key (partner_id, key),
  check ((state = 'failed') = (return_code is not null))
);

create table simulator_event (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  key text not null,
  kind text not null check (kind in ('outcome', 'returned', 'dispute_won')),
  return_code text,
  -- tenant time
  occurs_at timestamptz not null,
  sent_at timestamptz,
  -- A simulated dispute can move a part of its charge. Null: the whole charge, reported without a dispute.
  amount_in_cents bigint,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
create index simulator_event_tenant on simulator_event (partner_id, tenant_id) where sent_at is null;
create index simulator_event_waiting on simulator_event (occurs_at) where sent_at is null;

-- Visits to the page of a simulated bank, on which a tenant of the sandbox chooses an account.
create table simulator_setup (
  partner_id text not null,
  -- the idempotency key of the setup
  id text not null,
  tenant_id text not null,
  -- in the page's address, so it cannot be guessed
  ref text not null unique,
  bank text not null,
  url text not null,
  -- the chosen test account; null until then
  account_number text,
  canceled boolean not null default false,
  created_at timestamptz not null,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  check (not canceled or account_number is null)
);
create index simulator_setup_tenant on simulator_setup (partner_id, tenant_id);

-- What the sandbox's payout rail has received, and what becomes of it.
create table simulator_payout (
  key text primary key,
  amount_in_cents bigint not null,
  refused boolean not null,
  -- null if it never arrives
  paid_at timestamptz,
  failed_at timestamptz,
  returned_at timestamptz,
  received_at timestamptz not null
);
