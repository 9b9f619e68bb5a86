-- When the ledger and the audit log were last verified and a backup was last made, for the alerts on them.
-- oldest-service: 0.2.0
create table operator_check (
  name text primary key check (name in ('ledger', 'audit', 'backup')),
  checked_at timestamptz not null,
  faults integer not null check (faults >= 0)
);
