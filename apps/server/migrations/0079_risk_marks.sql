-- Finds accounts and addresses that several tenants use, and keeps why an application was flagged.
-- oldest-service: 0.2.0
create table risk_key (
  partner_id text primary key references partner (id),
  -- The key of the partner's marks, sealed.
  key_sealed bytea not null
);
create table risk_mark (
  partner_id text not null,
  kind text not null check (kind in ('account', 'address')),
  -- HMAC-SHA-256 of the account's numbers or of the address, by the partner's key.
  mark bytea not null check (octet_length(mark) = 32),
  tenant_id text not null,
  marked_at timestamptz not null,
  primary key (partner_id, kind, mark, tenant_id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
create index risk_mark_tenant on risk_mark (partner_id, tenant_id);
create table application_flag (
  partner_id text not null,
  application_id text not null,
  tenant_id text not null,
  reasons text[] not null check (cardinality(reasons) > 0),
  -- What the rules decide by, to decide later.
  facts jsonb not null,
  -- Until an operator decides; null for an application that was not held.
  held_since timestamptz,
  resolved_at timestamptz,
  found_at timestamptz not null,
  primary key (partner_id, application_id),
  foreign key (partner_id, application_id) references application (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  check (resolved_at is null or held_since is not null)
);
create index application_flag_tenant on application_flag (partner_id, tenant_id);
