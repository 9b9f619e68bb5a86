-- Copies of sandbox tenants, and the calls that they repeat (domain/forks/).
-- oldest-service: 0.2.0
create table recorded_call (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  call text not null,
  -- Parameters and body, encrypted.
  input_sealed bytea not null,
  product_variant text,
  result_ids text[] not null,
  refused text,
  -- The tenant's time, of calls that a copy repeated; others began when the tenant's clock showed it.
  began_at timestamptz,
  called_at timestamptz not null,
  -- Of the tenant's clock after the call.
  clock_offset_ms bigint,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
create index recorded_call_by_tenant on recorded_call (partner_id, tenant_id, id);
create table tenant_fork (
  partner_id text not null,
  tenant_id text not null,
  forked_from text not null,
  forked_at text,
  reproduced_events integer not null,
  change jsonb,
  primary key (partner_id, tenant_id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
-- The version of the terms that a copy is offered instead of those that apply.
alter table tenant add column simulated_terms_version text;
