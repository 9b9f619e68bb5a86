-- Links that open the experience on our own page (domain/access/hosted-links.ts).
-- oldest-service: 0.2.0
create table hosted_link (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  -- Signs the results, so that the partner's backend can verify them.
  key_id text not null,
  secret_sha256 bytea not null unique check (octet_length(secret_sha256) = 32),
  product_variant text check (product_variant in ('rent', 'hoa')),
  use text not null check (use in ('redirect', 'message')),
  sent_by text not null check (sent_by in ('email', 'text')),
  return_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  open_nonce_sha256 bytea,
  revoked_at timestamptz,
  code_hmac bytea,
  code_expires_at timestamptz,
  codes_sent integer not null default 0,
  tries_left integer not null default 5,
  -- The newest result. Its id is sent once.
  result_id text,
  result_used_at timestamptz,
  primary key (partner_id, id)
);
create index hosted_link_tenant on hosted_link (partner_id, tenant_id);
create index hosted_link_expiry on hosted_link (expires_at);
create index hosted_link_result on hosted_link (partner_id, result_id) where result_id is not null;
alter table partner add column app_schemes text[] not null default '{}';
