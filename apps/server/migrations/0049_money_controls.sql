-- The operator's controls of money: a switch that stops all of it, and pauses of automatic collections;
-- see apps/server/src/domain/controls. Services before 0.3.0 know neither.
-- oldest-service: 0.2.0
create table money_switch (
  only_row boolean primary key default true check (only_row),
  stopped_at timestamptz,
  stopped_by text,
  reason text,
  check ((stopped_at is null) = (stopped_by is null) and (stopped_at is null) = (reason is null))
);
insert into money_switch (only_row) values (true);

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
