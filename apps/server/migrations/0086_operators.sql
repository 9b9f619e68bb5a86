-- The people who may open the operator's console, the links that let them in, and their sessions.
-- oldest-service: 0.2.0
-- contract: allows one more value, which takes nothing away from services of 0.2.0
create table operator (
  id text primary key,
  name text not null,
  role text not null,
  -- The partners that the person is limited to; null for all.
  partner_ids text[],
  created_at timestamptz not null,
  disabled_at timestamptz,
  check (id like 'opr\_%'),
  check (role in ('admin', 'finance', 'support', 'risk', 'developer', 'auditor')),
  check (partner_ids is null or cardinality(partner_ids) > 0)
);
-- Approvals compare people by name, so active accounts have unique names.
create unique index operator_name on operator (lower(name)) where disabled_at is null;
create table operator_invite (
  secret_sha256 bytea primary key,
  operator_id text not null references operator (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check (octet_length(secret_sha256) = 32)
);
create table operator_session (
  id text primary key,
  secret_sha256 bytea not null unique,
  operator_id text not null references operator (id),
  created_at timestamptz not null,
  idle_until timestamptz not null,
  expires_at timestamptz not null,
  -- When the person last proved who they are.
  proven_at timestamptz,
  revoked_at timestamptz,
  check (id like 'ops\_%'),
  check (octet_length(secret_sha256) = 32)
);
create index operator_session_operator on operator_session (operator_id) where revoked_at is null;

alter table audit_entry
  drop constraint audit_entry_via_check,
  add constraint audit_entry_via_check
    check (via in ('key', 'portal', 'cli', 'bank', 'operator')) not valid;
