-- Where `svc-admin ledger verify` starts; see apps/server/src/domain/ledger/checkpoint.ts. One row for each
-- partner, replaced after each verification without a fault. The mac covers every other column and
-- needs the service's secret key, so access to the database is not enough to write a valid row.
-- oldest-service: 0.1.0
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
