-- Visits to the page of a simulated bank, on which a tenant of the sandbox chooses an account.
-- oldest-service: 0.2.0

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
