-- Runs of `svc certify` and the results of their cases (domain/certification/).
-- oldest-service: 0.2.0
create table certification (
  partner_id text not null,
  id text not null,
  state text not null check (state in ('running', 'passed', 'failed', 'abandoned')),
  endpoint_id text not null,
  endpoint_url text not null,
  tenant_query_url text,
  product_variant text not null check (product_variant in ('rent', 'hoa')),
  anyway boolean not null,
  service_version text not null,
  created_at timestamptz not null,
  last_step_at timestamptz not null,
  finished_at timestamptz,
  verdict text,
  is_complete boolean not null default false,
  -- The case that is running now. `attempt` counts the cases that were begun, and names their tenants.
  running_case text,
  running_since timestamptz,
  attempt integer not null default 0,
  -- The report and its signature, once the run is finished.
  signed_payload text,
  signature text,
  signing_key_id text,
  primary key (partner_id, id)
);
-- One run at a time.
create unique index certification_running on certification (partner_id) where state = 'running';
create table certification_case (
  partner_id text not null,
  certification_id text not null,
  name text not null,
  status text not null check (status in ('pass', 'warn', 'fail', 'skipped')),
  summary text not null,
  cause text,
  fix text,
  docs text,
  steps jsonb not null,
  -- The external ids of the tenants that the case made.
  tenants text[] not null,
  ran_at timestamptz not null,
  duration_ms integer,
  reported_by text not null check (reported_by in ('service', 'cli')),
  primary key (partner_id, certification_id, name),
  foreign key (partner_id, certification_id) references certification on delete cascade
);
