-- How the people of the operator's console prove who they are.
-- oldest-service: 0.2.0
create table operator_passkey (
  -- The authenticator's id of the credential, as base64url.
  id text primary key,
  operator_id text not null references operator (id),
  public_key bytea not null,
  counter bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index operator_passkey_operator on operator_passkey (operator_id);
create table operator_password (
  operator_id text primary key references operator (id),
  salt bytea not null,
  scrypt bytea not null,
  totp_sealed bytea not null,
  -- The newest 30 seconds whose code was used: each code works once.
  totp_step bigint not null,
  created_at timestamptz not null
);
create table operator_recovery_code (
  code_sha256 bytea primary key,
  operator_id text not null references operator (id),
  used_at timestamptz
);
create index operator_recovery_code_operator on operator_recovery_code (operator_id);
-- Challenges of passkeys. Each is answered once.
create table operator_challenge (
  challenge_sha256 bytea primary key,
  -- Null for a sign-in, which does not know the person yet.
  operator_id text references operator (id),
  expires_at timestamptz not null
);
-- Attempts to sign in with a password or a recovery code, by hashes of names and addresses.
create table operator_attempt (
  subject_sha256 bytea primary key,
  attempts integer not null,
  since timestamptz not null
);
-- Only a session that may do nothing but enroll a passkey or a password.
alter table operator_session add column is_enrolling boolean not null default false;
