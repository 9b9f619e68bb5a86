-- Who may call: partners, their keys, and the short-lived credentials made from them.

create table installation (
  only_row boolean primary key default true check (only_row),
  environment text not null check (environment in ('sandbox', 'production')),
  secret_key_fingerprint bytea not null check (octet_length(secret_key_fingerprint) = 32),
  created_at timestamptz not null
);

create table partner (
  id text primary key check (id like 'ptn\_%'),
  pms text collate "C" not null unique check (pms ~ '^[a-z0-9][a-z0-9_-]{1,62}$'),
  name text not null,
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 20),
  created_at timestamptz not null
);

create table api_key (
  id text primary key check (id like 'key\_%'),
  partner_id text not null references partner,
  secret_sha256 bytea not null unique check (octet_length(secret_sha256) = 32),
  secret_sealed bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index api_key_live on api_key (partner_id) where revoked_at is null;

create table portal_link (
  secret_sha256 bytea primary key check (octet_length(secret_sha256) = 32),
  partner_id text not null references partner,
  read_only boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table portal_session (
  id text primary key check (id like 'pss\_%'),
  secret_sha256 bytea not null unique check (octet_length(secret_sha256) = 32),
  partner_id text not null references partner,
  read_only boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index portal_session_partner on portal_session (partner_id) where revoked_at is null;

create table idempotency_key (
  scope text collate "C" not null,
  key text collate "C" not null,
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  status integer,
  body_sealed bytea,
  created_at timestamptz not null,
  primary key (scope, key),
  check ((status is null) = (body_sealed is null))
);
create index idempotency_key_age on idempotency_key (created_at);
