-- Whether tenants' names and addresses are also stored in clear text, for services before 0.3.0 that
-- run on the same database. A database that such a service may use starts with true, until "svc-admin
-- tenant seal"; a new one has no row yet, and starts with false.
-- oldest-service: 0.2.0
alter table installation add column clear_names boolean not null default true;
alter table installation alter column clear_names set default false;
