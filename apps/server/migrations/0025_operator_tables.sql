-- What operators control and check: see docs/operate. Services before 0.3.0 do not know these tables.
-- oldest-service: 0.2.0

-- The switch that stops all money; see apps/server/src/domain/controls.
create table money_switch (
  only_row boolean primary key default true check (only_row),
  stopped_at timestamptz,
  stopped_by text,
  reason text,
  check ((stopped_at is null) = (stopped_by is null) and (stopped_at is null) = (reason is null))
);
insert into money_switch (only_row) values (true);

-- Pauses of automatic collections.
create table collection_pause (
  partner_id text not null references partner,
  scope text not null check (scope in ('partner', 'property', 'tenant')),
  -- the property's id in the lease, or our id of the tenant; empty for the partner
  subject text not null check ((subject = '') = (scope = 'partner')),
  started_at timestamptz not null,
  started_by text not null,
  reason text not null,
  primary key (partner_id, scope, subject)
);

-- Tenants for which something fell due while collections were paused or money was stopped.
create table collection_hold (
  partner_id text not null,
  tenant_id text not null,
  -- something is withheld from the tenant now
  held boolean not null,
  -- the property's day on which collections last continued: late days count from here
  resumed_on date,
  primary key (partner_id, tenant_id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
create index collection_hold_held on collection_hold (partner_id) where held;

-- Operators' commands that move money, by the idempotency key that they were given: a repeated command
-- answers with the first result.
create table operator_request (
  key text primary key,
  request_sha256 bytea not null,
  operator text not null,
  -- null until the command is done, in the same transaction
  result jsonb,
  created_at timestamptz not null
);

-- When the ledger and the audit log were last verified and a backup was last made, for the alerts on them.
create table operator_check (
  name text primary key check (name in ('ledger', 'audit', 'backup')),
  checked_at timestamptz not null,
  faults integer not null check (faults >= 0)
);

-- Where `svc-admin ledger verify` starts; see apps/server/src/domain/ledger/checkpoint.ts. One row for each
-- partner, replaced after each verification without a fault. The mac covers every other column and
-- needs the service's secret key, so access to the database is not enough to write a valid row.
create table ledger_checkpoint (
  partner_id text primary key references partner,
  -- The partner's last verified seal, 0 before the first one.
  seal_number bigint not null check (seal_number >= 0),
  seal_sha256 bytea not null check (octet_length(seal_sha256) = 32),
  -- Transfers in seals up to that one, the greatest of their ids ('' without any), and their balances:
  -- cents by kind of account.
  transfers bigint not null check (transfers >= 0),
  last_transfer_id text not null,
  trial_balance jsonb not null check (jsonb_typeof(trial_balance) = 'object'),
  verified_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32)
);
