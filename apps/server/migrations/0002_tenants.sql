-- What portals tell us, and each tenant's own clock.

create table tenant (
  id text primary key check (id like 'ten\_%'),
  partner_id text not null references partner,
  external_id text collate "C" not null check (char_length(external_id) between 1 and 255),
  first_name text,
  last_name text,
  email text,
  phone_number text,
  product_variant text check (product_variant in ('rent', 'hoa')),
  lease jsonb,
  time_zone text not null default 'UTC',
  return_url text,
  metadata jsonb not null default '{}',
  -- Simulation: a fixed result, and tenant time = wall time + offset.
  underwriting_result text check (underwriting_result in ('WILL_BE_APPROVED', 'WILL_BE_DECLINED')),
  decline_reasons text[] not null default '{}',
  simulated_cycle_date date,
  clock_offset_ms bigint,
  -- As last told to the partner, so that a change is told once.
  eligibility_state text,
  eligibility_reason text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (partner_id, external_id),
  check ((simulated_cycle_date is null) or (clock_offset_ms is not null))
);

create table charge (
  tenant_id text not null references tenant,
  id text collate "C" not null,
  position integer not null,
  type text not null check (type in ('rent', 'utility', 'fee', 'late_fee', 'security_deposit',
    'credit', 'hoa_dues', 'hoa_assessment', 'other')),
  description text,
  due_date date not null,
  amount_in_cents bigint not null check (amount_in_cents between -100000000 and 100000000),
  amount_paid_in_cents bigint not null,
  primary key (tenant_id, id),
  check (amount_paid_in_cents between 0 and greatest(amount_in_cents, 0))
);

create table tenant_token (
  secret_sha256 bytea primary key check (octet_length(secret_sha256) = 32),
  tenant_id text not null references tenant,
  product_variant text check (product_variant in ('rent', 'hoa')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  exchanged_at timestamptz,
  exchange_nonce_sha256 bytea,
  check ((exchanged_at is null) = (exchange_nonce_sha256 is null))
);
create index tenant_token_expiry on tenant_token (expires_at);

create table experience_session (
  id text primary key check (id like 'xps\_%'),
  secret_sha256 bytea not null unique check (octet_length(secret_sha256) = 32),
  token_sha256 bytea not null unique references tenant_token,
  tenant_id text not null references tenant,
  product_variant text not null check (product_variant in ('rent', 'hoa')),
  created_at timestamptz not null,
  idle_until timestamptz not null,
  expires_at timestamptz not null
);
create index experience_session_expiry on experience_session (expires_at);
